"""What the companion costs, as ratios against a bare floor and against peers, in one run."""
