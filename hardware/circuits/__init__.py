"""The circuits as source: parts, what is connected with what, and proofs that it works."""
