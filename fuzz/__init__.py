"""Hostile trials: whatever comes in, what comes out is right, or a sentence; never a traceback, a hang or a loss.

`files` reads files that are odd or damaged, `calls` calls public functions with what they do not expect, `links` opens
pages by addresses that nobody would write, and `kill` ends processes at random moments. ``make fuzz`` runs the first
three for a minute; a finding names its seed, and the command that shows it again.
"""
