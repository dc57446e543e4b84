"""The English that programmers write: verbs, function words, short forms and acronyms."""

from typing import Final

VERBS: Final[frozenset[str]] = frozenset(
    """
    abort absorb accept access accumulate acknowledge acquire activate adapt add adjust advance advertise aggregate align
    allocate allow alter amend analyse analyze annotate announce answer append apply approximate archive arrange assemble
    assert assign associate atomically attach attempt authenticate authorize await back bind block boost break
    broadcast browse bucket buffer build bundle bypass cache calculate call cancel canonicalize capture cast catch center
    chain change check choose chunk clamp classify clean clear clip clone close coerce collapse collate collect colorize
    combine commit compact compare compile complete compose compress compute concatenate configure confirm connect
    consolidate construct consume contain contract contribute control convert copy correct count cover crawl create
    customize cut deactivate debug decide declare decode decompose decompress decorate decrement decrypt deduce
    deduplicate defer define delay delegate delete deliver denormalize dequeue derive describe deserialize destroy detach
    detect determine dig disable discard disconnect discover dispatch display dispose distribute divide download draw drain
    drive drop dump duplicate edit elide embed emit empty emulate enable encapsulate encode encrypt end enforce enqueue
    ensure enter enumerate erase escape establish estimate evaluate evict examine exclude execute exit expand expire explain
    export expose express extend extract fail fall feed fetch figure fill filter finalize find finish fire fit fix flag
    flatten flip flush follow force forget fork format forward free freeze fuse gather generate get give grab group grow guard
    guess halt handle hash hide highlight hold hook identify ignore import improve include increase increment indent index
    indicate infer inflate inform inherit initialise initialize inject insert inspect install instantiate instrument
    integrate intercept interpolate interpret intersect introduce invalidate invert invoke isolate issue iterate join keep kill label
    launch lay lazily leave let level lift limit link list listen load localize locate lock log look loop lower maintain make
    manage map mark mask match materialize measure memoize merge migrate minimize modify monitor mount move mutate name
    negotiate normalise normalize notify obtain offer omit open optimize order organize orient output override pack pad
    paginate paint parse partition pass patch pause peek perform permit persist pick ping place plan play plot poll pop
    populate post prefetch prefix prepare prepend preprocess present preserve prevent print process produce project
    promote prompt propagate protect provide prune publish pull purge push put query queue quit quote raise randomize rank re-raise
    react read realign rearrange rebuild receive recognize recompute reconnect reconstruct record recover recreate redirect redraw
    reduce refer reformat refresh refuse register reject relabel relate release reload relocate remember remove rename
    render reopen reorder repair repeat replace replicate report represent request require reraise reserve reset reshape
    resize resolve respond restart restore restrict resume retain retrieve retry return reuse reverse revert revoke rewind
    rewrite rotate round route run sample sanitize save scale scan schedule scrape search seek select send separate serialise
    serialize serve set setup shift shorten show shrink shuffle shut sign signal simplify simulate skip slice sniff solve sort
    spawn specify split spread squash stack standardize start stop store stream strip subclass submit subscribe substitute
    subtract suggest sum summarize supply support suppress suspend swallow swap switch synchronize tag take tear tell
    terminate test throttle throw tie toggle tokenize touch trace track train transfer transform translate transmit transpose
    traverse treat trigger trim truncate try tune turn unbind undo unescape uninstall unload unlock unpack unquote unregister
    unset unsubscribe unwrap unzip update upgrade upload use validate vary verify visit wait wake walk warm warn watch weigh
    widen wire wrap write yank yield zip
    """.split()
) - {"atomically", "lazily"}

NEVER_VERBS: Final[frozenset[str]] = frozenset(
    {"this", "is", "has", "its", "always", "class", "process"}
) - {"process"}

THIRD_PERSON: Final[dict[str, str]] = {
    "have": "has",
    "do": "does",
    "go": "goes",
    "be": "is",
    "quiz": "quizzes",
}

PARTICIPLES: Final[dict[str, str]] = {
    "bind": "bound", "break": "broken", "build": "built", "catch": "caught", "choose": "chosen", "cut": "cut", "dig": "dug",
    "draw": "drawn", "drive": "driven", "fall": "fallen", "feed": "fed", "find": "found", "fit": "fitted", "forget": "forgotten",
    "freeze": "frozen", "get": "got", "give": "given", "grow": "grown", "hide": "hidden", "hold": "held", "keep": "kept",
    "lay": "laid", "leave": "left", "let": "let", "make": "made", "override": "overridden", "pick": "picked", "put": "put",
    "quit": "quit", "read": "read", "rebuild": "rebuilt", "redraw": "redrawn", "reset": "reset", "rewind": "rewound",
    "rewrite": "rewritten", "run": "run", "seek": "sought", "send": "sent", "set": "set", "shrink": "shrunk", "shut": "shut",
    "split": "split", "spread": "spread", "take": "taken", "tear": "torn", "tell": "told", "throw": "thrown", "undo": "undone",
    "unbind": "unbound", "unset": "unset", "wake": "woken", "write": "written",
}  # fmt: skip

DOUBLING: Final[frozenset[str]] = frozenset(
    """
    begin slot chop clip commit control crop cut debug defer dig drop emit fit flag flip forget format get grab infer log map
    omit pad permit plan plot plug pop prefer put quit refer reformat reset run scan set ship shut skip snap spin split step stop strip
    stub submit sum swap tag tap transfer trim unset unwrap unzip wrap zip unplug hit let
    """.split()
)

# Verbs that open a noun phrase just as readily ("list of files", "filter for logs"): they want a
# determiner after them.
NOUN_VERBS: Final[frozenset[str]] = frozenset(
    """
    access answer archive back base complete empty open free clean correct lower separate own like close embed present block boost break bucket buffer build bundle cache call cast catch chain change check chunk
    clone code contract control copy count cover debug decorate default delay display dispatch draw drive dump end estimate exit export
    extract feed figure fill filter fire fit flag fork format forward free group guard guess hash hold hook import
    increase index input interface issue join label launch level lift limit link list lock log look loop map mark mask match measure
    mount move name object order output override pack pad paint patch pause pick ping place plan play plot poll post prefix present
    print process produce project prompt pull push query queue quote rank read record reference release repeat report request
    reserve reset result retry return reverse round route run sample scale scan schedule search sequence serve set setup shift show sign signal
    slice sort split spread stack start state store stream strip subclass sum supply support switch tag take test throw tie title touch
    trace track transfer transform trigger try tune turn type update upgrade upload use value view visit wait walk watch wire wrap zip
    """.split()
)

DETERMINERS: Final[frozenset[str]] = frozenset(
    """a an the all any each every another both either no some one two three multiple several many which whether if how what
    where when that new given only arbitrary extra additional""".split()
)

PREPOSITIONS: Final[frozenset[str]] = frozenset(
    """about above across after against along among around as at before behind below beneath beside between beyond by despite
    down during except for from in inside into like near of off on onto out outside over per since through throughout to
    toward towards under until up upon via with within without""".split()
)

CONJUNCTIONS: Final[frozenset[str]] = frozenset(
    "and or but nor so yet if when while because since unless until whereas although though than that which who whose".split()
)

AUXILIARIES: Final[frozenset[str]] = frozenset(
    """is are was were be been being am do does did has have had can could may might must shall should will would isn't aren't
    doesn't don't can't cannot won't""".split()
)

PRONOUNS: Final[frozenset[str]] = frozenset(
    "i me my we us our you your he she they them it itself themselves self this these those".split()
)

# Words that do not tell one function from the next.
GENERIC: Final[frozenset[str]] = frozenset(
    """
    value values object objects data list lists string strings name names item items element elements instance instances class
    classes function functions method methods argument arguments parameter parameters result results new given thing things
    input output dict dictionary dictionaries tuple tuples set sets type types kind kinds one ones number numbers int key keys
    attribute attributes property properties option options current default specified other same first last next previous
    copy collection sequence iterable iterator container callable representation based using used use possible available
    appropriate correct right proper valid existing specific particular certain single multiple several various whole entire
    code way case info information necessary needed related internal base main real actual simple order self cls variable
    variables params args kwargs nothing anything something everything true false none python returned passed provided call
    respective corresponding associated desired required optional whether sure work out look hold handle process get return
    """.split()
)

UNCOUNTABLE: Final[frozenset[str]] = frozenset(
    """access authentication authorization backpressure behaviour caching code compression configuration content data debugging encoding
    formatting html http css sql json xml yaml information input indentation io javascript logging markdown markup math memory metadata
    output padding pagination parsing routing scheduling security software source spacing storage streaming stuff syntax text
    throttling time tracing traffic usage whitespace work wsgi asgi middleware inheritance math""".split()
)

PLURALS: Final[dict[str, str]] = {
    "index": "indexes", "child": "children", "datum": "data", "person": "people", "matrix": "matrices", "vertex": "vertices",
    "criterion": "criteria", "analysis": "analyses", "alias": "aliases", "basis": "bases", "middleware": "middlewares",
    "schema": "schemas", "half": "halves", "proxy": "proxies", "leaf": "leaves",
}  # fmt: skip

ABBREVIATIONS: Final[dict[str, str]] = {
    "addr": "address", "arg": "argument", "args": "arguments", "attr": "attribute", "attrs": "attributes", "auth": "authentication",
    "cfg": "configuration", "cmd": "command", "col": "column", "cols": "columns", "conf": "configuration", "config": "configuration",
    "configs": "configurations", "conn": "connection", "conns": "connections", "ctx": "context", "db": "database", "dbs": "databases",
    "dest": "destination", "dir": "directory", "dirs": "directories", "doc": "document", "docs": "documentation",
    "dst": "destination", "elem": "element", "env": "environment", "err": "error", "errs": "errors", "exc": "exception",
    "expr": "expression", "exprs": "expressions", "ext": "extension", "exts": "extensions", "fmt": "format", "fn": "function",
    "freq": "frequency", "func": "function", "funcs": "functions", "idx": "index", "img": "image", "info": "information",
    "int": "integer", "iter": "iterator", "kwarg": "keyword argument", "kwargs": "keyword arguments", "len": "length",
    "lib": "library", "loc": "location", "max": "maximum", "min": "minimum", "mod": "module", "msg": "message", "msgs": "messages",
    "num": "number", "obj": "object", "objs": "objects", "opt": "option", "opts": "options", "param": "parameter",
    "params": "parameters", "pkg": "package", "pkgs": "packages", "pos": "position", "prev": "previous", "prog": "program",
    "prop": "property", "props": "properties", "recv": "receive", "ref": "reference", "refs": "references", "regex": "pattern",
    "repr": "representation", "req": "request", "reqs": "requirements", "res": "result", "resp": "response", "ret": "result",
    "sep": "separator", "spec": "specification", "specs": "specifications", "src": "source", "stmt": "statement",
    "stmts": "statements", "str": "string", "sig": "signature", "sync": "synchronous", "temp": "temporary", "tmp": "temporary",
    "util": "utility", "val": "value", "vals": "values", "var": "variable", "vars": "variables", "ver": "version", "init": "initialize",
    "proc": "process", "char": "character", "chars": "characters", "dict": "dictionary", "dev": "development", "calc": "calculate",
    "del": "delete", "app": "app", "apps": "apps", "async": "asynchronous", "bool": "boolean", "coord": "coordinate",
    "coords": "coordinates", "qs": "query string", "ns": "namespace", "mgr": "manager", "pwd": "password", "sess": "session",
    "stats": "statistics", "tz": "time zone", "desc": "description", "cert": "certificate", "certs": "certificates", "deps": "dependencies",
    "dep": "dependency", "regexp": "pattern", "fp": "file", "inv": "inventory", "lang": "language", "toc": "table of contents",
}  # fmt: skip

ACRONYMS: Final[frozenset[str]] = frozenset(
    """api ascii asgi ast aws bfs cdn cgi cidr cli cors cpu crlf crs css csrf csv ddl dfs dns dom dsn dtd epub eof esmtp ftp geojson
    gcs gdal geos gid gif gis gml gpu gzip hls hmac html http https icmp id ids idna io ip ipv4 ipv6 iri iso jpeg json jwt kml latex
    ldap lhs lru md5 mime mysql mst ndjson nfs oauth ocsp ok orm os pdf pem php pid png posix postgis psf qps rds rest rfc rgb rhs
    rpc rss rst s3 sasl scc sha1 sha256 smtp sni soap socks sqs sql srid ssh ssl stdin svg tcp tls toml ttl tty tz udp uid ui uri uris url urls utc utf uuid vcs
    vf2 wkb wkt wsgi www xhtml xml xmlrpc xpath yaml gui dag dtl mro ajax css2 cte tsv ioc""".split()
) - {"os", "ok", "latex", "gzip", "stdin", "rest", "ids"}

SPELLED: Final[dict[str, str]] = {
    "ids": "IDs", "urls": "URLs", "uris": "URIs", "apis": "APIs", "postgis": "PostGIS", "mysql": "MySQL", "oauth": "OAuth",
    "geojson": "GeoJSON", "latex": "LaTeX", "unicode": "Unicode", "python": "Python", "javascript": "JavaScript", "redis": "Redis",
    "django": "Django", "sqlite": "SQLite", "oracle": "Oracle", "windows": "Windows", "english": "English", "linux": "Linux",
    "ascii": "ASCII", "xpath": "XPath", "epub": "EPUB", "postgres": "Postgres", "postgresql": "PostgreSQL",
}  # fmt: skip
