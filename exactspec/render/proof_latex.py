"""A proof as LaTeX."""

from exactspec.prove.written import WrittenProof


def proof_latex(whole: WrittenProof, rows: int) -> str:
    return ""
