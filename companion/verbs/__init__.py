"""What the verbs of the command line do. Here, and in the referee's process, the house is wired together."""
