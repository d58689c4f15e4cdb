"""From a YAML file to two tables and a setting."""
