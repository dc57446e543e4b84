"""English as people write it about code: what says nothing, what denies, and what means the same.

All of it is data for the literal matcher, and nothing of it is about the wording of one author.
Words stand here in their plain form; ``answer_words`` compares them by their stems.
"""

from typing import Final

# Words that carry nothing which could be right or wrong. Pronouns and general nouns for code ("the
# function") stand for what was named before.
STOP_WORDS: Final = """
    a about all also an and another any are as at be been being both but by can case code could
    defined did directly do does done each either else eventually every exactly finally following
    for from function had has have having he helper here how however i if in indeed instead into
    is it itself its just let like located lives may means merely message method might module must
    name named namely now of off on one ones only or otherwise our out own part per place please
    quite rather really said same see she should simply sits so some something stands such sure
    than that the their them then there these they thing this those though thus to too under up
    upon us very via
    was way we well were what whatever when where whether which while who whole whom whose will
    with would yes yet you your
"""
# In a condition these say only that it holds: "if `x` is set" is "if `x`".
TRUTH_WORDS: Final = "given hold holds passed set so true truthy"
NEGATIONS: Final = """
    absent cannot hardly incorrect lack lacking missing neither never no nobody none nor not
    nothing nowhere rarely seldom untrue without wrong falsy false unset mistaken
"""
# The first word of each line stands for the others.
SYNONYMS: Final = """
    call invoke run execute delegate
    use read consult access query
    raise throw
    return
    catch handle intercept trap
    ignore swallow suppress
    set assign store put
    check test verify examine inspect branch decide depend
    default
    create make build construct instantiate
    remove delete strip discard
    clear purge flush
    start begin
    end finish terminate
    get fetch retrieve obtain
    print display show
    parameter argument
    error exception
    derive inherit subclass extend
    decorate wrap
    change modify alter
    wait sleep block
    keep retain stay remain
    convert turn transform
    choose select pick
    blank space whitespace
    necessary required require mandatory need
    iterate loop
    directory folder
    answer reply response
    inside within
"""
# Of each pair, the second denies the first: "not accepted" is "rejected".
COMPLEMENTS: Final = """
    accept reject
    accept refuse
    allow forbid
    allow disallow
    include exclude
    enable disable
    equal differ
    equal different
    equal unequal
    inside outside
    necessary optional
    valid invalid
    known unknown
    possible impossible
    succeed fail
"""
# Neither of a pair is the denial of the other, but no statement holds of both.
OPPOSITES: Final = """
    first last
    always sometimes
    more less
    most least
    above below
    highest lowest
    maximum minimum
    start end
    open close
    raise return
    raise ignore
    raise log
    catch raise
    empty full
    some all
    left right
    old new
    add remove
    caller callee
    once twice
    keep remove
"""
# Phrases of several words, by the one word that says the same.
PHRASES: Final = """
    give back = return
    hand back = return
    pass back = return
    send back = return
    hand on = return
    the result = return
    its result = return
    evaluate to = return
    come back = return
    call on = call
    turn to = call
    rely on = call
    go through = call
    hand over to = call
    hand the work to = call
    hand part of the work to = call
    fail with = raise
    die with = raise
    error out with = raise
    blow up with = raise
    leave out = default
    left out = default
    leave it out = default
    left it out = default
    look up = get
    look at = use
    take into account = use
    more than = exceed
    greater than = exceed
    larger than = exceed
    longer than = exceed
    less than = below
    fewer than = below
    smaller than = below
    shorter than = below
    at least = atleast
    at most = atmost
    only while = while
    only after = after
    only once = once
    only before = before
    look whether = check
    ask whether = check
    has to be given = necessary
    have to be given = necessary
    must be given = necessary
    must be passed = necessary
    no default = necessary
    as long as = while
    as soon as = when
    in case = if
    even if = although
    only if = if
    only when = when
    not only =
    not just =
    not merely =
    whether or not =
    no matter =
    no doubt =
    no sooner =
    fail to = not
    decline to = not
    refuse to = not
    no longer = not
    no instance = not instance
    in this order = inorder
    in that order = inorder
    one after the other = inorder
    one after another = inorder
    in turn = inorder
    product code = code
    nothing but = only
    run out = end without leave
    run out of = lack
    hand on to = forward to
    pass on to = forward to
    do nothing = idle
    do nothing about = ignore
"""
# What is done to code: a fact that says so is stated with the same verb or not at all.
PREDICATES: Final = "call raise return catch set check default decorate derive"
OTHER_VERBS: Final = """
    accept add allow append apply assert begin belong build cache change choose clear close come
    compare compute connect contain convert copy count create depend end enter expect fail find get
    give go handle happen idle ignore include insert iterate join keep lead leave let load log look
    make match mean move need open parse pass pick pop print push put reach read register reject
    remove replace reset run save say search send skip sort split stand start stay stop strip take
    tell treat update use wait walk want warn write yield
"""
ORDER_WORDS: Final = "before after ahead prior then afterwards subsequently following inorder"
BEING: Final = "is are was were be been being gets get"
AUXILIARIES: Final = """
    has have had does do did can cannot could will would must may might should shall
"""
NUMBER_WORDS: Final = "zero one two three four five six seven eight nine ten eleven twelve"
# Forms that no ending is cut off of.
IRREGULAR_FORMS: Final = {
    "built": "build",
    "caught": "catch",
    "chosen": "choose",
    "died": "die",
    "does": "do",
    "done": "do",
    "gave": "give",
    "gets": "get",
    "goes": "go",
    "got": "get",
    "held": "hold",
    "kept": "keep",
    "lost": "lose",
    "made": "make",
    "ran": "run",
    "read": "read",
    "sent": "send",
    "threw": "throw",
    "thrown": "throw",
    "used": "use",
    "using": "use",
    "went": "go",
    "written": "write",
    "wrote": "write",
}
