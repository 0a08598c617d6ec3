module builtin-defaults

go 1.27.0

require (
	k8s.io/apimachinery v0.38.0-beta.0
	k8s.io/kubernetes v1.38.0-beta.0
)

require (
	github.com/distribution/reference v0.6.0 // indirect
	github.com/fxamacker/cbor/v2 v2.9.4 // indirect
	github.com/go-logr/logr v1.4.4 // indirect
	github.com/opencontainers/go-digest v1.0.0 // indirect
	github.com/robfig/cron/v3 v3.0.1 // indirect
	github.com/spf13/pflag v1.0.10 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	go.yaml.in/yaml/v2 v2.4.4 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	gopkg.in/inf.v0 v0.9.1 // indirect
	k8s.io/api v0.38.0-beta.0 // indirect
	k8s.io/apiextensions-apiserver v0.0.0 // indirect
	k8s.io/apiserver v0.38.0-beta.0 // indirect
	k8s.io/client-go v0.38.0-beta.0 // indirect
	k8s.io/component-base v0.38.0-beta.0 // indirect
	k8s.io/component-helpers v0.0.0 // indirect
	k8s.io/controller-manager v0.0.0 // indirect
	k8s.io/klog/v2 v2.140.0 // indirect
	k8s.io/utils v0.0.0-20260626114624-be93311217bd // indirect
	sigs.k8s.io/json v0.0.0-20250730193827-2d320260d730 // indirect
	sigs.k8s.io/randfill v1.0.0 // indirect
	sigs.k8s.io/structured-merge-diff/v7 v7.0.1 // indirect
	sigs.k8s.io/yaml v1.6.0 // indirect
)

replace k8s.io/api => k8s.io/api v0.38.0-beta.0

replace k8s.io/apiextensions-apiserver => k8s.io/apiextensions-apiserver v0.38.0-beta.0

replace k8s.io/apimachinery => k8s.io/apimachinery v0.38.0-beta.0

replace k8s.io/apiserver => k8s.io/apiserver v0.38.0-beta.0

replace k8s.io/cli-runtime => k8s.io/cli-runtime v0.38.0-beta.0

replace k8s.io/client-go => k8s.io/client-go v0.38.0-beta.0

replace k8s.io/cloud-provider => k8s.io/cloud-provider v0.38.0-beta.0

replace k8s.io/cluster-bootstrap => k8s.io/cluster-bootstrap v0.38.0-beta.0

replace k8s.io/code-generator => k8s.io/code-generator v0.38.0-beta.0

replace k8s.io/component-base => k8s.io/component-base v0.38.0-beta.0

replace k8s.io/component-helpers => k8s.io/component-helpers v0.38.0-beta.0

replace k8s.io/controller-manager => k8s.io/controller-manager v0.38.0-beta.0

replace k8s.io/cri-api => k8s.io/cri-api v0.38.0-beta.0

replace k8s.io/cri-client => k8s.io/cri-client v0.38.0-beta.0

replace k8s.io/cri-streaming => k8s.io/cri-streaming v0.38.0-beta.0

replace k8s.io/csi-translation-lib => k8s.io/csi-translation-lib v0.38.0-beta.0

replace k8s.io/dynamic-resource-allocation => k8s.io/dynamic-resource-allocation v0.38.0-beta.0

replace k8s.io/endpointslice => k8s.io/endpointslice v0.38.0-beta.0

replace k8s.io/externaljwt => k8s.io/externaljwt v0.38.0-beta.0

replace k8s.io/kms => k8s.io/kms v0.38.0-beta.0

replace k8s.io/kube-aggregator => k8s.io/kube-aggregator v0.38.0-beta.0

replace k8s.io/kube-controller-manager => k8s.io/kube-controller-manager v0.38.0-beta.0

replace k8s.io/kube-proxy => k8s.io/kube-proxy v0.38.0-beta.0

replace k8s.io/kube-scheduler => k8s.io/kube-scheduler v0.38.0-beta.0

replace k8s.io/kubectl => k8s.io/kubectl v0.38.0-beta.0

replace k8s.io/kubelet => k8s.io/kubelet v0.38.0-beta.0

replace k8s.io/metrics => k8s.io/metrics v0.38.0-beta.0

replace k8s.io/mount-utils => k8s.io/mount-utils v0.38.0-beta.0

replace k8s.io/pod-security-admission => k8s.io/pod-security-admission v0.38.0-beta.0

replace k8s.io/sample-apiserver => k8s.io/sample-apiserver v0.38.0-beta.0

replace k8s.io/streaming => k8s.io/streaming v0.38.0-beta.0

replace k8s.io/legacy-cloud-providers => k8s.io/legacy-cloud-providers v0.38.0-beta.0

// The release takes two modules that are not published: kube-openapi is that of 1.37, and structured-merge-diff is the version before.
replace k8s.io/kube-openapi => k8s.io/kube-openapi v0.0.0-20260721132016-d427ff9ee9ad

replace sigs.k8s.io/structured-merge-diff/v7 => sigs.k8s.io/structured-merge-diff/v7 v7.0.0
