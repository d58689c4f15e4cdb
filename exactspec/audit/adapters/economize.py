"""economize: ``RejectionVerifier.verify``, one sequence."""

from typing import Any

from exactspec.audit.block import Block

PACKAGE = "economize"
VERSIONS = ("0.3.2",)


class Selector:
    """Plain sampling, as economize asks for it: no temperature and no filter."""

    greedy = False

    def __call__(self, logits: Any, history: Any) -> int:
        import torch

        return int(torch.multinomial(self.distributions(logits), 1))

    def distribution(self, logits: Any, history: Any) -> Any:
        """The law of the next token after a history."""
        return self.distributions(logits)

    def distributions(self, logits: Any) -> Any:
        """The laws of the next token, which no history changes."""
        import torch

        return torch.softmax(logits, -1)


def verifier() -> Any:
    """economize's verifier for sampling."""
    from economize.decoding.config import DecodeConfig
    from economize.decoding.verifiers import RejectionVerifier

    return RejectionVerifier(DecodeConfig(verifier="rejection"))


def step(block: Block) -> Any:
    """One call: how many drafts are accepted, and the token behind them."""
    given = block.torch
    accepted, token = verifier().verify(
        given.target_logits,
        list(block.drafted),
        given.draft_probs,
        Selector(),
        given.ids,
        len(block.context),
    )
    return [*block.drafted[:accepted], token]
