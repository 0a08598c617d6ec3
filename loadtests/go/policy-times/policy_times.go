// Times requests under admission policies with the policy plugins of k8s.io/apiserver.
// This file is built together with the sources of shared/oracle/policy, whose module pins the versions of the libraries.
// With ASSAY_POLICY_TIMES set to a duration, the program reads the oracle's cases of the kinds admit and mutate, and prints
// one reading a line. The policies are compiled before the measurement, and nothing is recorded during it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"
	_ "unsafe" // for linkname

	"golang.org/x/sys/unix"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// timesReading is what the requests of a case took: CPU time of the thread, a fast run and the median run.
type timesReading struct {
	ID       string  `json:"id"`
	Ns       float64 `json:"ns"`
	MedianNs float64 `json:"medianNs"`
	Runs     int     `json:"runs"`
	Allowed  bool    `json:"allowed"`
	Error    string  `json:"error,omitempty"`
}

const leastRuns = 5

func init() {
	least, err := time.ParseDuration(os.Getenv("ASSAY_POLICY_TIMES"))
	if err != nil {
		return
	}
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	silenceErrorHandlers()
	// The collector runs between cases, not beside them.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(1 << 30)
	runtime.LockOSThread()
	reader := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 1 {
			text, _ := json.Marshal(timeLine(line, least))
			fmt.Println(string(text))
		}
		if err != nil {
			os.Exit(0)
		}
	}
}

func timeLine(line []byte, least time.Duration) (r timesReading) {
	defer func() {
		if p := recover(); p != nil {
			r.Error = fmt.Sprint(p)
		}
	}()
	var c Case
	if err := json.Unmarshal(line, &c); err != nil {
		return timesReading{Error: err.Error()}
	}
	r.ID = c.ID
	run, err := prepareTimes(newOracle(), &c)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	if _, r.Allowed, err = run(); err != nil {
		r.Error = err.Error()
		return r
	}
	runtime.GC()
	var cpu []float64
	for begun := time.Now(); len(cpu) < leastRuns || time.Since(begun) < least; {
		took, _, err := run()
		if err != nil {
			r.Error = err.Error()
			return r
		}
		cpu = append(cpu, float64(took))
	}
	slices.Sort(cpu)
	// Not the least of many: the clock of a busy machine may lag.
	r.Ns, r.MedianNs, r.Runs = cpu[len(cpu)/50], cpu[len(cpu)/2], len(cpu)
	return r
}

// prepareTimes compiles the policies of a case. The result sends the request once, and tells the CPU time and whether it was allowed.
func prepareTimes(o *Oracle, c *Case) (func() (time.Duration, bool, error), error) {
	w, err := o.prepare(c)
	if err != nil {
		return nil, err
	}
	dispatch, err := o.timedDispatch(c, w)
	if err != nil {
		return nil, err
	}
	return func() (time.Duration, bool, error) {
		// A mutation may change the object, so that each run has its own.
		r, err := w.request(c)
		if err != nil {
			return 0, false, err
		}
		o.ensureNamespace(c, r.attributes.GetNamespace())
		begun := threadCPU()
		denied := dispatch(r)
		return threadCPU() - begun, denied == nil, nil
	}, nil
}

func (o *Oracle) timedDispatch(c *Case, w *world) (func(*request) error, error) {
	params, err := paramObjects(w, c.Params)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	if c.Kind == "mutate" {
		m, err := o.mutatingPlugin()
		if err != nil {
			return nil, err
		}
		if err := o.useConverters(m.converters, w, c); err != nil {
			return nil, err
		}
		policies, bindings, err := decoded[mutating.Policy, mutating.PolicyBinding](c)
		if err != nil {
			return nil, err
		}
		hooks, err := hooksOf(o, w, policies, bindings, params, mutating.NewMutatingAdmissionPolicyAccessor,
			mutating.NewMutatingAdmissionPolicyBindingAccessor, compileMutating)
		if err != nil {
			return nil, err
		}
		for i := range hooks {
			hooks[i].ParamInformer = unsorted(hooks[i].ParamInformer)
		}
		m.source.hooks = hooks
		return func(r *request) error {
			chain := newReinvocationHandler(admission.NewChainHandler(m))
			return chain.(admission.MutationInterface).Admit(ctx, r.attributes, r.interfaces)
		}, nil
	}
	policies, bindings, err := decoded[validating.Policy, validating.PolicyBinding](c)
	if err != nil {
		return nil, err
	}
	hooks, err := hooksOf(o, w, policies, bindings, params, validating.NewValidatingAdmissionPolicyAccessor,
		validating.NewValidatingAdmissionPolicyBindingAccessor, compileValidating)
	if err != nil {
		return nil, err
	}
	for i := range hooks {
		hooks[i].ParamInformer = unsorted(hooks[i].ParamInformer)
	}
	p, err := o.timedValidatingPlugin(hooks)
	if err != nil {
		return nil, err
	}
	return func(r *request) error { return p.Dispatch(ctx, r.attributes, r.interfaces) }, nil
}

func decoded[P, B any](c *Case) (policies []*P, bindings []*B, err error) {
	for _, raw := range c.Policies {
		p := new(P)
		if err = into(raw, p); err != nil {
			return nil, nil, err
		}
		policies = append(policies, p)
	}
	for _, raw := range c.Bindings {
		b := new(B)
		if err = into(raw, b); err != nil {
			return nil, nil, err
		}
		bindings = append(bindings, b)
	}
	return policies, bindings, nil
}

// timedValidatingPlugin is the oracle's plugin without its records.
func (o *Oracle) timedValidatingPlugin(hooks []validating.PolicyHook) (*generic.Plugin[validating.PolicyHook], error) {
	source := &heldHooks[validating.PolicyHook]{hooks: hooks}
	p := generic.NewPlugin[validating.PolicyHook](
		admission.NewHandler(admission.Connect, admission.Create, admission.Delete, admission.Update),
		func(informers.SharedInformerFactory, kubernetes.Interface, dynamic.Interface, meta.RESTMapper) generic.Source[validating.PolicyHook] {
			return source
		},
		dispatcherFactory(func(a authz, _ *matching.Matcher) generic.Dispatcher[validating.PolicyHook] {
			return validating.NewDispatcher(a, generic.NewPolicyMatcher(o.matcher()))
		}),
	)
	err := o.start(p.ValidateInitialization, func(stop <-chan struct{}) {
		p.SetEnabled(true)
		p.SetExternalKubeInformerFactory(o.real)
		p.SetExternalKubeClientSet(o.client)
		p.SetRESTMapper(meta.NewDefaultRESTMapper(nil))
		p.SetDynamicClient(stubDynamic{})
		p.SetDrainedNotification(stop)
		p.SetMatcher(o.matcher())
		p.SetExcludedAdmissionResources(excludedResources)
		setAuthorizer(p, o.authorizer)
	})
	p.SetReadyFunc(func() bool { return true })
	return p, err
}

// plainInformer lists parameters as a server does, without the oracle's order.
type plainInformer struct {
	staticInformer
	lister cache.GenericLister
}

func (p plainInformer) Informer() cache.SharedIndexInformer { return p.staticInformer }
func (p plainInformer) Lister() cache.GenericLister         { return p.lister }

func unsorted(i informers.GenericInformer) informers.GenericInformer {
	if p, ok := i.(paramInformer); ok {
		return plainInformer{p.staticInformer, cache.NewGenericLister(p.indexer, p.resource)}
	}
	return i
}

func threadCPU() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts)
	return time.Duration(ts.Nano())
}

