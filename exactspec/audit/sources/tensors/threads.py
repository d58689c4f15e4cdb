"""Threads that a program starts: PyTorch asks a mode for the operations of one thread only."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import wraps
from threading import Thread
from typing import Any

from torch.utils._python_dispatch import _get_current_dispatch_mode

from exactspec.audit.sources.replaced import replaced
from exactspec.audit.sources.tensors.dispatch import Dispatch
from exactspec.audit.sources.tensors.shadows import Shadows


@contextmanager
def in_threads(shadows: Shadows) -> Iterator[None]:
    """For one run: operations of threads that it starts, or hands work to, are followed as well."""
    start, submit = Thread.start, ThreadPoolExecutor.submit

    def start_followed(thread: Thread) -> None:
        thread.run = _followed(shadows, thread.run)  # type: ignore[method-assign]
        start(thread)

    def submit_followed(
        pool: ThreadPoolExecutor, function: Callable[..., Any], /, *arguments: Any, **options: Any
    ) -> Any:
        return submit(pool, _followed(shadows, function), *arguments, **options)

    with (
        replaced(Thread, start=start_followed),
        replaced(ThreadPoolExecutor, submit=submit_followed),
    ):
        yield


def _followed(shadows: Shadows, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function with its operations followed, in whatever thread it is called."""

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        mode = _get_current_dispatch_mode()
        if isinstance(mode, Dispatch):
            mode.shadows = shadows  # the thread was started in an earlier run
            return function(*arguments, **options)
        with Dispatch(shadows):
            return function(*arguments, **options)

    return call
