"""One mutant for each small change of a function's source: texts, operators, and how a mutant is run."""
