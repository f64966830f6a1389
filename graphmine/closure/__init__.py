"""What follows from hard links: what they tie and part, where they contradict each other, and how that is settled."""
