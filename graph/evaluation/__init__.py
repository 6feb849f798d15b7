"""How good search and paths are, measured against what people judged: read, run, compare, sum up.

`judged` reads the sets, `matching` tells a result from what was judged, `measures` and `estimate` are the arithmetic,
`baselines` are the ordinary searches to beat, `search_quality` and `path_quality` put it together.
"""
