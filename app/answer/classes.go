package answer

import (
	"regexp"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
)

// A class is a sort of change, and what facts have to show for it. Its form is a guess about prose: what no form fits
// is of no class, and not refused for that.
type class struct {
	name  string
	form  *regexp.Regexp // in lower case
	judge func(*situation) ruling

	machine bool // it is about what the machine gives, and not about a place
}

// A ruling is what facts say of a change. Its zero value is nothing.
type ruling struct {
	verdict string
	why     string
	by      []*facts.Fact
}

func fits(why string, by ...*facts.Fact) ruling     { return ruling{casefile.Supported, why, by} }
func nothing(why string, by ...*facts.Fact) ruling  { return ruling{casefile.Unsupported, why, by} }
func opposite(why string, by ...*facts.Fact) ruling { return ruling{casefile.Contradicted, why, by} }

// classes are the sorts of changes, the more special before the more general.
func classes() []class {
	return []class{
		{"tuning the collector", form(`gogc|gomemlimit|setgcpercent|setmemorylimit|gc ?percent` +
			`|memory limit of (?:go|the runtime)|` +
			`ballast|runtime\.gc\(|freeosmemory|(?:collector|gc) (?:run )?(?:less|more) often` +
			`|tun\w+ (?:the )?(?:collector|gc)\b`),
			(*situation).tuneCollector, false},
		{"reusing memory", form(`sync\.pool|(?:reus\w+|recycl\w+|pool) (?:the |its |of |these )?(?:buffers?` +
			`|memory|objects?|slices?|byte slices?)|` +
			`object pool|buffer pool`), (*situation).reuse, false},
		{"a cache", form(`(?:put|add|use|introduce|have) (?:a |an |the )?(?:\S+ )?cache\b|memoi[sz]e|cach(?:e` +
			`|ing) (?:the|each|every|all|` +
			`parsed|results?|it|them|bodies|responses)\b|cache in front` +
			`|^an? (?:\S+ )?cache\b`), (*situation).cache, false},
		{"a deadline", form(`deadlines?|time-?outs?|context\.withtimeout|withdeadline|set(?:read|write)?deadline`),
			(*situation).deadline, false},
		{"a second request", form(`hedg\w+|second (?:request|attempt) (?:when|if|after)|(?:add|more|with) retries|` +
			`retry (?:it|the (?:request|call))`), (*situation).hedge, false},
		{"a faster dependency", form(`(?:look at|check|speed up|scale|tune|optimi[sz]e|fix|profile` +
			`|faster) (?:the |your |a )?` +
			`(?:\w+ )?(?:service|dependency|backend|database|db|broker|api server|upstream|network|postgres\w*` +
			`|redis|kafka)\b|` +
			slowOther), (*situation).dependency, false},
		{"more workers", form(`(?:more|additional|extra|raise|increase|add) (?:the )?(?:number of |parallel ` +
			`|concurrent |\w+ )?` +
			`(?:readers|workers|consumers|subscribers|goroutines|handlers)|(?:larger|bigger` +
			`|more) (?:channel )?buffer\w*|` +
			`buffer (?:of )?the channel|make (?:the channel|it) (?:a )?buffered`), (*situation).workers, false},
		{"more at a time", form(`(?:read|take|send|fetch|drain|write|hand)\w* (?:\S+ )?(?:more|several|many` +
			`|(?:a |in |by )(?:larger |bigger )?batch\w*)\b` +
			`|(?:larger|bigger|raise the|increase the) batch\w*|^batch\b|take up to \d+`),
			(*situation).batch, false},
		{"a larger limit of calls", form(`(?:rais\w+|increas\w+|higher|larger|lift|bump)(?: \S+){0,3} ` +
			`(?:qps|burst|rate limit\w*|tokens)\b`), (*situation).limit, false},
		{"more descriptors", form(`ulimit|limitnofile|rlimit|(?:rais\w+|increas\w+|higher|larger)(?: \S+){0,3} ` +
			`(?:descriptors?|open files|nofile)`), (*situation).descriptors, false},
		{"a change of a dependency", form(`(?:in|inside of|within|of) the (?:library|dependency|driver|module)\b` +
			`|(?:patch|fork|chang|edit|modif)\w* (?:the |its |a )?(?:library|dependency|driver|module)\b`),
			(*situation).foreign, false},
		{"a larger pool", form(`(?:larger|bigger|raise|increase|more|grow|enlarge|higher|double|bump` +
			`|lift)(?: \S+){0,3}? ` +
			`(?:pool|connections?|conns|max(?:open|idle|active)?(?:idle)?conn\w*|poolsize|setmax\w*conn\w*` +
			`|places|permits)\b|` +
			`(?:pool|connections?|max\w*conn\w*|poolsize)(?: \S+){0,3} (?:larger|bigger|higher|raised?|increased?)\b`),
			(*situation).pool, false},
		{"more threads", form(`(?:rais\w+|increas\w+|higher|more|larger) gomaxprocs` +
			`|gomaxprocs\S* (?:from \S+ )?(?:to |up|higher)|` +
			`gomaxprocs\W*$|more threads`),
			(*situation).threads, true},
		{"more of the machine", form(`(?:more|additional|faster|two|four|eight|sixteen|\d+) (?:cpus?|cores` +
			`|processors|replicas|instances|` +
			`pods|machines)\b|` +
			`(?:larger|bigger) (?:machine|instance|node|vm)|scal\w+ (?:up|out|horizontally)|mov\w+ (?:the ` +
			`|one of |a ){0,2}` +
			`(?:\w+ )?(?:process\w*|neighbou?rs?)\b|another machine|rais\w+ the cpu (?:quota|limit)` +
			`|cpu (?:quota|limit)`),
			(*situation).processors, true},
		{"a read lock", form(`rwmutex|rlock|read ?lock|reader[- ]writer lock`), (*situation).readLock, false},
		{"less of a lock", form(`(?:hold|keep)\w* the (?:lock|mutex) (?:for )?(?:less|shorter)|(?:shorter` +
			`|smaller) critical section|` +
			`shard\w*(?: \S+){0,3} (?:locks?|mutex\w*|map)|(?:locks?|mutex\w*) (?:by|per) (?:key|shard|client)` +
			`|lock[- ]free|` +
			`(?:out of|outside(?: of)?|without|not under|before|after releasing) the (?:lock|mutex)|sync\.map` +
			`|atomic\.\w+`),
			(*situation).lessLock, false},
		{"closing something", form(`clos\w+ (?:the |all |each |every |its |their |both )?(?:\w+ )?(?:rows?` +
			`|bod(?:y|ies)|responses?|objects?|channels?|` +
			`statements?|connections?|files?|readers?|streams?)\b|\.close\(\)|defer \S*close|unclosed` +
			`|call done\b|\.done\(\)|stop the (?:ticker|timer)|` +
			`\.stop\(\)|unsubscribe|sqlclosecheck|bodyclose|rowserrcheck`), (*situation).closing, false},
		{"another library", form(`(?:faster|another|different|alternative|streaming) (json|xml|yaml|csv|jpeg` +
			`|png|image|regexp?|protobuf) ?` +
			`(?:library|parser|decoder|encoder|package|decoding|encoding|parsing)?\b|(?:easyjson|jsoniter|sonic` +
			`|simdjson|segmentio/encoding|goccy/go-json)`),
			nil, false},
	}
}

// slowOther is a cause: another service that is slow.
const slowOther = `(?:service|dependency|backend|database|db|broker|api server|upstream|network|postgres\w*` +
	`|redis|kafka)` +
	` (?:\w+ )?(?:is|are|was|answers?|responds?) (?:too |very |so )?(?:slow\w*|overloaded|late)|slow (?:\w+ )?` +
	`(?:service|dependency|backend|database|db|broker|api server|upstream|network|postgres\w*|redis|kafka)\b`

func form(words string) *regexp.Regexp { return regexp.MustCompile(`(?:^|\W)(?:` + words + `)`) }
