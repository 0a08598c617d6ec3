// Command rule-times times single rules on single values with the validator of apiextensions-apiserver.
// With -keywords, it times the schema's keywords and list types instead.
// It reads a JSON object a line (see evaluation) and prints one a line (see reading). It is built beside
// the programs of shared/bench-peers, whose module pins the versions of the libraries.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"golang.org/x/sys/unix"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/json"
)

// evaluation is one rule and the value that it is evaluated on.
type evaluation struct {
	Name string `json:"name"`
	// Schema is that of the rule's node, with this rule and no other.
	Schema apiextv1.JSONSchemaProps `json:"schema"`
	// Root says that the node is the object itself.
	Root   bool `json:"root"`
	Object any  `json:"object"`
	Old    any  `json:"old"`
}

// reading is what an evaluation took: CPU time of the thread, a fast and the median run.
type reading struct {
	Name     string  `json:"name"`
	Ns       float64 `json:"ns"`
	MedianNs float64 `json:"medianNs"`
	WallNs   float64 `json:"wallNs"`
	Runs     int     `json:"runs"`
	Cost     int64   `json:"cost"`
	Error    string  `json:"error,omitempty"`
}

// Runs shorter than this are timed together.
const leastRun = 50 * time.Microsecond

var keywords bool

func main() {
	path := flag.String("evaluations", "", "file of evaluations, a JSON object a line")
	least := flag.Duration("min", 30*time.Millisecond, "time for an evaluation in a round, after its first run")
	rounds := flag.Int("rounds", 3, "rounds in which all evaluations are timed, so that a disturbance meets each but once")
	flag.BoolVar(&keywords, "keywords", false, "time keywords and list types, whose errors count as results")
	flag.Parse()
	// The collector runs between evaluations, not beside them.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(1 << 30)
	runtime.LockOSThread()
	file, err := os.Open(*path)
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	var all []*timing
	for lines.Scan() {
		all = append(all, &timing{line: slices.Clone(lines.Bytes())})
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
	for range *rounds {
		for _, t := range all {
			t.measure(*least)
		}
	}
	for _, t := range all {
		t.emit()
	}
}

// timing is an evaluation that is being timed: CPU and wall time of its runs, ns.
type timing struct {
	reading
	line      []byte
	cpu, wall []float64
}

// prepare gives what evaluates the rule; nil if it cannot be made.
func (t *timing) prepare() func() {
	var e evaluation
	var in apiextensions.JSONSchemaProps
	err := json.Unmarshal(t.line, &e)
	if err == nil {
		err = apiextv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&e.Schema, &in, nil)
	}
	t.Name = e.Name
	var s *structuralschema.Structural
	if err == nil {
		s, err = structuralschema.NewStructural(&in)
	}
	if err != nil {
		t.Error = err.Error()
		return nil
	}
	if keywords {
		return t.prepareKeywords(&in, s, e.Object)
	}
	v := schemacel.NewValidator(s, e.Root, math.MaxInt64)
	ctx := context.Background()
	return func() {
		errs, left := v.Validate(ctx, nil, s, e.Object, e.Old, math.MaxInt64)
		t.Cost = math.MaxInt64 - left
		if len(errs) > 0 {
			t.Error = errs[0].Error()
		}
	}
}

// prepareKeywords gives what checks the keywords and list types of the schema.
func (t *timing) prepareKeywords(in *apiextensions.JSONSchemaProps, s *structuralschema.Structural, object any) func() {
	v, _, err := validation.NewSchemaValidator(in)
	if err != nil {
		t.Error = err.Error()
		return nil
	}
	self := object.(map[string]any)
	return func() {
		validation.ValidateCustomResource(nil, self, v)
		listtype.ValidateListSetsAndMaps(nil, s, self)
	}
}

func (t *timing) measure(least time.Duration) {
	run := t.prepare()
	if run == nil || t.Error != "" {
		return
	}
	run()
	runtime.GC()
	begun := time.Now()
	run()
	times := int(leastRun/max(1, time.Since(begun))) + 1
	for runs := 0; runs < 3 || time.Since(begun) < least; runs++ {
		w, c := time.Now(), threadCPU()
		for range times {
			run()
		}
		if cpu := threadCPU() - c; cpu > 0 {
			t.cpu = append(t.cpu, float64(cpu)/float64(times))
		}
		t.wall = append(t.wall, float64(time.Since(w))/float64(times))
		t.Runs += times
	}
}

func (t *timing) emit() {
	if len(t.cpu) > 0 {
		slices.Sort(t.cpu)
		// Not the least of many: the clock of a busy machine may lag.
		t.Ns, t.MedianNs, t.WallNs = t.cpu[len(t.cpu)/50], t.cpu[len(t.cpu)/2], slices.Min(t.wall)
	}
	b, _ := json.Marshal(t.reading)
	fmt.Println(string(b))
}

// threadCPU is the CPU time of this thread. Other processes do not add to it; the workers of the garbage collector are not in it.
func threadCPU() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts)
	return time.Duration(ts.Nano())
}
