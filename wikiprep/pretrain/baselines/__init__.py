"""What can be had without a model, beside which its figures stand: the guesses of names, and what is asked for."""
