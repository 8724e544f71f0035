"""What a person sees while work goes on: bars, lines and summaries."""
