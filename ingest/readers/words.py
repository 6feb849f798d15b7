"""Tables of words that tell names, titles and notes apart. General vocabulary only: no word is here for one list."""

from __future__ import annotations


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


# Link texts that say what a link holds instead of which work it is.
GENERIC_LINK = _words("""
    abs abstract archive arxiv article blog blogpost code colab demo doc docs github homepage html here
    huggingface implementation link mirror models notebook page paper part pdf poster post preprint
    project recording repo repository slides source talk thread transcript tutorial tweet video web
    website weights youtube
""")

# Words that titles do not write with a capital.
FUNCTION_WORDS = _words("""
    a an and as at be but by can do does for from go how if in into is it its not of on or so than that
    the their then there this to up via vs was were what when where which who why with without your
""")

# Words that start with a capital in titles and notes and yet are no one's name.
TITLE_WORDS = _words("""
    a advanced ai an analysis applied architecture article attention awesome beginner beginners benchmark
    best blackwell blog book building c c++ causal compiler compute computing course cpu cuda cutlass data
    decoding deep demo design digital dive docs efficient engine engineering essential evaluation
    excellent fast flash free from full fundamentals general good gpu gpus graph great guide hardware high
    hopper how inference information inside intro introduction jax kernel kernels language large learning
    lecture lectures library llm llms low machine making math matrix memory mental minimal ml model models
    modern multi must-read naive napkin network networks neural new note notes nsight official open
    optimization optimizing original overview paper papers parallel part performance playbook podcast post
    posts practical presentation production profiling programming ptx python quantization quickstart
    readable recommended reinforcement research-paper resource resources rl rocm rust scaling sections
    series serving simd simple slides speculative spotlight survey system systems talk tensor text thread
    tool tools tpu training transformer transformers triton tutorial tutorials understanding update video
    videos visual what why worklog writing your
""")

# What a person or team is said to own: "Jane's notes".
OWNED = _words("""
    article blog book channel documentation docs guide lectures log newsletter notes podcast post posts
    presentation report site substack talk thread video videos worklog writeup writing
""")

# Words in lower case that end the name of a team.
KINDS_OF_TEAM = _words("""
    blog blogs docs group lab labs org project research team
""")

# Words in lower case inside a name.
NAME_PARTICLES = _words("""
    al and da de del der di du el et la le of the van von & -
""")

# What follows a work whose maker was named before it: "Some Lab post on".
PREPOSITIONS = _words("""
    about for of on to
""")
