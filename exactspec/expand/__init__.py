"""From an algorithm to the paths of a round, its probability tree, and the states over rounds."""
