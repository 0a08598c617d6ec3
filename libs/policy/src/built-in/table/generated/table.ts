// Written by libs/policy/generate/built-in/write-table.mjs from the Go types of k8s.io/api 1.30 to 1.38. Do not edit.
/** Returns the table of the kinds, with one kind per line. */
export const kinds = (): string => `\
v1 APIGroup meta/v1.APIGroup
v1 APIGroupList meta/v1.APIGroupList
v1 APIResourceList meta/v1.APIResourceList
v1 APIVersions meta/v1.APIVersions
v1 Binding core/v1.Binding
v1 ComponentStatus core/v1.ComponentStatus componentstatuses cluster -
v1 ComponentStatusList core/v1.ComponentStatusList
v1 ConfigMap core/v1.ConfigMap configmaps namespaced -
v1 ConfigMapList core/v1.ConfigMapList
v1 CreateOptions meta/v1.CreateOptions
v1 DeleteOptions meta/v1.DeleteOptions
v1 Endpoints core/v1.Endpoints endpoints namespaced -
v1 EndpointsList core/v1.EndpointsList
v1 Event core/v1.Event events namespaced -
v1 EventList core/v1.EventList
v1 GetOptions meta/v1.GetOptions
v1 LimitRange core/v1.LimitRange limitranges namespaced -
v1 LimitRangeList core/v1.LimitRangeList
v1 List core/v1.List
v1 ListOptions meta/v1.ListOptions
v1 Namespace core/v1.Namespace namespaces cluster finalize,status
v1 NamespaceList core/v1.NamespaceList
v1 Node core/v1.Node nodes cluster proxy,status
v1 NodeList core/v1.NodeList
v1 NodeProxyOptions core/v1.NodeProxyOptions
v1 PatchOptions meta/v1.PatchOptions
v1 PersistentVolume core/v1.PersistentVolume persistentvolumes cluster status
v1 PersistentVolumeClaim core/v1.PersistentVolumeClaim persistentvolumeclaims namespaced status
v1 PersistentVolumeClaimList core/v1.PersistentVolumeClaimList
v1 PersistentVolumeList core/v1.PersistentVolumeList
v1 Pod core/v1.Pod pods namespaced attach,binding,ephemeralcontainers,eviction,exec,log,portforward,proxy,status -32
v1 Pod core/v1.Pod pods namespaced attach,binding,ephemeralcontainers,eviction,exec,log,portforward,proxy,resize,status +32
v1 PodAttachOptions core/v1.PodAttachOptions
v1 PodExecOptions core/v1.PodExecOptions
v1 PodList core/v1.PodList
v1 PodLogOptions core/v1.PodLogOptions
v1 PodPortForwardOptions core/v1.PodPortForwardOptions
v1 PodProxyOptions core/v1.PodProxyOptions
v1 PodStatusResult core/v1.PodStatusResult -37
v1 PodTemplate core/v1.PodTemplate podtemplates namespaced -
v1 PodTemplateList core/v1.PodTemplateList
v1 RangeAllocation core/v1.RangeAllocation
v1 ReplicationController core/v1.ReplicationController replicationcontrollers namespaced scale,status
v1 ReplicationControllerList core/v1.ReplicationControllerList
v1 ResourceQuota core/v1.ResourceQuota resourcequotas namespaced status
v1 ResourceQuotaList core/v1.ResourceQuotaList
v1 Secret core/v1.Secret secrets namespaced -
v1 SecretList core/v1.SecretList
v1 SerializedReference core/v1.SerializedReference
v1 Service core/v1.Service services namespaced proxy,status
v1 ServiceAccount core/v1.ServiceAccount serviceaccounts namespaced token
v1 ServiceAccountList core/v1.ServiceAccountList
v1 ServiceList core/v1.ServiceList
v1 ServiceProxyOptions core/v1.ServiceProxyOptions
v1 Status meta/v1.Status
v1 UpdateOptions meta/v1.UpdateOptions
v1 WatchEvent meta/v1.WatchEvent
admissionregistration.k8s.io/v1 CreateOptions meta/v1.CreateOptions
admissionregistration.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions
admissionregistration.k8s.io/v1 GetOptions meta/v1.GetOptions
admissionregistration.k8s.io/v1 ListOptions meta/v1.ListOptions
admissionregistration.k8s.io/v1 MutatingAdmissionPolicy admissionregistration/v1.MutatingAdmissionPolicy mutatingadmissionpolicies cluster - +36
admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding admissionregistration/v1.MutatingAdmissionPolicyBinding mutatingadmissionpolicybindings cluster - +36
admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBindingList admissionregistration/v1.MutatingAdmissionPolicyBindingList +36
admissionregistration.k8s.io/v1 MutatingAdmissionPolicyList admissionregistration/v1.MutatingAdmissionPolicyList +36
admissionregistration.k8s.io/v1 MutatingWebhookConfiguration admissionregistration/v1.MutatingWebhookConfiguration mutatingwebhookconfigurations cluster -
admissionregistration.k8s.io/v1 MutatingWebhookConfigurationList admissionregistration/v1.MutatingWebhookConfigurationList
admissionregistration.k8s.io/v1 PatchOptions meta/v1.PatchOptions
admissionregistration.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy admissionregistration/v1.ValidatingAdmissionPolicy validatingadmissionpolicies cluster status
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding admissionregistration/v1.ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings cluster -
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBindingList admissionregistration/v1.ValidatingAdmissionPolicyBindingList
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyList admissionregistration/v1.ValidatingAdmissionPolicyList
admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration admissionregistration/v1.ValidatingWebhookConfiguration validatingwebhookconfigurations cluster -
admissionregistration.k8s.io/v1 ValidatingWebhookConfigurationList admissionregistration/v1.ValidatingWebhookConfigurationList
admissionregistration.k8s.io/v1 WatchEvent meta/v1.WatchEvent
admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicy admissionregistration/v1alpha1.MutatingAdmissionPolicy mutatingadmissionpolicies cluster - +32
admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicyBinding admissionregistration/v1alpha1.MutatingAdmissionPolicyBinding mutatingadmissionpolicybindings cluster - +32
admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicyBindingList admissionregistration/v1alpha1.MutatingAdmissionPolicyBindingList +32
admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicyList admissionregistration/v1alpha1.MutatingAdmissionPolicyList +32
admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicy admissionregistration/v1alpha1.ValidatingAdmissionPolicy validatingadmissionpolicies cluster status
admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicyBinding admissionregistration/v1alpha1.ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings cluster -
admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicyBindingList admissionregistration/v1alpha1.ValidatingAdmissionPolicyBindingList
admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicyList admissionregistration/v1alpha1.ValidatingAdmissionPolicyList
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicy admissionregistration/v1beta1.MutatingAdmissionPolicy mutatingadmissionpolicies cluster - +34
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBinding admissionregistration/v1beta1.MutatingAdmissionPolicyBinding mutatingadmissionpolicybindings cluster - +34
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBindingList admissionregistration/v1beta1.MutatingAdmissionPolicyBindingList +34
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyList admissionregistration/v1beta1.MutatingAdmissionPolicyList +34
admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration admissionregistration/v1beta1.MutatingWebhookConfiguration mutatingwebhookconfigurations cluster -
admissionregistration.k8s.io/v1beta1 MutatingWebhookConfigurationList admissionregistration/v1beta1.MutatingWebhookConfigurationList
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy admissionregistration/v1beta1.ValidatingAdmissionPolicy validatingadmissionpolicies cluster status
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicyBinding admissionregistration/v1beta1.ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings cluster -
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicyBindingList admissionregistration/v1beta1.ValidatingAdmissionPolicyBindingList
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicyList admissionregistration/v1beta1.ValidatingAdmissionPolicyList
admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration admissionregistration/v1beta1.ValidatingWebhookConfiguration validatingwebhookconfigurations cluster -
admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfigurationList admissionregistration/v1beta1.ValidatingWebhookConfigurationList
apps/v1 ControllerRevision apps/v1.ControllerRevision controllerrevisions namespaced -
apps/v1 ControllerRevisionList apps/v1.ControllerRevisionList
apps/v1 CreateOptions meta/v1.CreateOptions
apps/v1 DaemonSet apps/v1.DaemonSet daemonsets namespaced status
apps/v1 DaemonSetList apps/v1.DaemonSetList
apps/v1 DeleteOptions meta/v1.DeleteOptions
apps/v1 Deployment apps/v1.Deployment deployments namespaced scale,status
apps/v1 DeploymentList apps/v1.DeploymentList
apps/v1 GetOptions meta/v1.GetOptions
apps/v1 ListOptions meta/v1.ListOptions
apps/v1 PatchOptions meta/v1.PatchOptions
apps/v1 ReplicaSet apps/v1.ReplicaSet replicasets namespaced scale,status
apps/v1 ReplicaSetList apps/v1.ReplicaSetList
apps/v1 StatefulSet apps/v1.StatefulSet statefulsets namespaced scale,status
apps/v1 StatefulSetList apps/v1.StatefulSetList
apps/v1 UpdateOptions meta/v1.UpdateOptions
apps/v1 WatchEvent meta/v1.WatchEvent
apps/v1beta1 ControllerRevision apps/v1beta1.ControllerRevision controllerrevisions namespaced -
apps/v1beta1 ControllerRevisionList apps/v1beta1.ControllerRevisionList
apps/v1beta1 Deployment apps/v1beta1.Deployment deployments namespaced status
apps/v1beta1 DeploymentList apps/v1beta1.DeploymentList
apps/v1beta1 DeploymentRollback apps/v1beta1.DeploymentRollback
apps/v1beta1 Scale apps/v1beta1.Scale
apps/v1beta1 StatefulSet apps/v1beta1.StatefulSet statefulsets namespaced status
apps/v1beta1 StatefulSetList apps/v1beta1.StatefulSetList
apps/v1beta2 ControllerRevision apps/v1beta2.ControllerRevision controllerrevisions namespaced -
apps/v1beta2 ControllerRevisionList apps/v1beta2.ControllerRevisionList
apps/v1beta2 DaemonSet apps/v1beta2.DaemonSet daemonsets namespaced status
apps/v1beta2 DaemonSetList apps/v1beta2.DaemonSetList
apps/v1beta2 Deployment apps/v1beta2.Deployment deployments namespaced status
apps/v1beta2 DeploymentList apps/v1beta2.DeploymentList
apps/v1beta2 ReplicaSet apps/v1beta2.ReplicaSet replicasets namespaced status
apps/v1beta2 ReplicaSetList apps/v1beta2.ReplicaSetList
apps/v1beta2 Scale apps/v1beta2.Scale
apps/v1beta2 StatefulSet apps/v1beta2.StatefulSet statefulsets namespaced scale,status
apps/v1beta2 StatefulSetList apps/v1beta2.StatefulSetList
authentication.k8s.io/v1 CreateOptions meta/v1.CreateOptions
authentication.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions
authentication.k8s.io/v1 GetOptions meta/v1.GetOptions
authentication.k8s.io/v1 ListOptions meta/v1.ListOptions
authentication.k8s.io/v1 PatchOptions meta/v1.PatchOptions
authentication.k8s.io/v1 SelfSubjectReview authentication/v1.SelfSubjectReview selfsubjectreviews cluster -
authentication.k8s.io/v1 TokenRequest authentication/v1.TokenRequest
authentication.k8s.io/v1 TokenReview authentication/v1.TokenReview tokenreviews cluster -
authentication.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions
authentication.k8s.io/v1 WatchEvent meta/v1.WatchEvent
authentication.k8s.io/v1alpha1 SelfSubjectReview authentication/v1alpha1.SelfSubjectReview selfsubjectreviews cluster -
authentication.k8s.io/v1beta1 SelfSubjectReview authentication/v1beta1.SelfSubjectReview selfsubjectreviews cluster -
authentication.k8s.io/v1beta1 TokenReview authentication/v1beta1.TokenReview tokenreviews cluster -
authorization.k8s.io/v1 CreateOptions meta/v1.CreateOptions
authorization.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions
authorization.k8s.io/v1 GetOptions meta/v1.GetOptions
authorization.k8s.io/v1 ListOptions meta/v1.ListOptions
authorization.k8s.io/v1 LocalSubjectAccessReview authorization/v1.LocalSubjectAccessReview localsubjectaccessreviews namespaced -
authorization.k8s.io/v1 PatchOptions meta/v1.PatchOptions
authorization.k8s.io/v1 SelfSubjectAccessReview authorization/v1.SelfSubjectAccessReview selfsubjectaccessreviews cluster -
authorization.k8s.io/v1 SelfSubjectRulesReview authorization/v1.SelfSubjectRulesReview selfsubjectrulesreviews cluster -
authorization.k8s.io/v1 SubjectAccessReview authorization/v1.SubjectAccessReview subjectaccessreviews cluster -
authorization.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions
authorization.k8s.io/v1 WatchEvent meta/v1.WatchEvent
authorization.k8s.io/v1alpha1 AuthorizationConditionsReview authorization/v1alpha1.AuthorizationConditionsReview authorizationconditionsreviews cluster - +38
authorization.k8s.io/v1beta1 LocalSubjectAccessReview authorization/v1beta1.LocalSubjectAccessReview localsubjectaccessreviews namespaced -
authorization.k8s.io/v1beta1 SelfSubjectAccessReview authorization/v1beta1.SelfSubjectAccessReview selfsubjectaccessreviews cluster -
authorization.k8s.io/v1beta1 SelfSubjectRulesReview authorization/v1beta1.SelfSubjectRulesReview selfsubjectrulesreviews cluster -
authorization.k8s.io/v1beta1 SubjectAccessReview authorization/v1beta1.SubjectAccessReview subjectaccessreviews cluster -
autoscaling/v1 CreateOptions meta/v1.CreateOptions
autoscaling/v1 DeleteOptions meta/v1.DeleteOptions
autoscaling/v1 GetOptions meta/v1.GetOptions
autoscaling/v1 HorizontalPodAutoscaler autoscaling/v1.HorizontalPodAutoscaler horizontalpodautoscalers namespaced status
autoscaling/v1 HorizontalPodAutoscalerList autoscaling/v1.HorizontalPodAutoscalerList
autoscaling/v1 ListOptions meta/v1.ListOptions
autoscaling/v1 PatchOptions meta/v1.PatchOptions
autoscaling/v1 Scale autoscaling/v1.Scale
autoscaling/v1 UpdateOptions meta/v1.UpdateOptions
autoscaling/v1 WatchEvent meta/v1.WatchEvent
autoscaling/v2 HorizontalPodAutoscaler autoscaling/v2.HorizontalPodAutoscaler horizontalpodautoscalers namespaced status
autoscaling/v2 HorizontalPodAutoscalerList autoscaling/v2.HorizontalPodAutoscalerList
autoscaling/v2beta1 HorizontalPodAutoscaler autoscaling/v2beta1.HorizontalPodAutoscaler horizontalpodautoscalers namespaced status -36
autoscaling/v2beta1 HorizontalPodAutoscalerList autoscaling/v2beta1.HorizontalPodAutoscalerList -36
autoscaling/v2beta2 HorizontalPodAutoscaler autoscaling/v2beta2.HorizontalPodAutoscaler horizontalpodautoscalers namespaced status -36
autoscaling/v2beta2 HorizontalPodAutoscalerList autoscaling/v2beta2.HorizontalPodAutoscalerList -36
batch/v1 CreateOptions meta/v1.CreateOptions
batch/v1 CronJob batch/v1.CronJob cronjobs namespaced status
batch/v1 CronJobList batch/v1.CronJobList
batch/v1 DeleteOptions meta/v1.DeleteOptions
batch/v1 GetOptions meta/v1.GetOptions
batch/v1 Job batch/v1.Job jobs namespaced status
batch/v1 JobList batch/v1.JobList
batch/v1 ListOptions meta/v1.ListOptions
batch/v1 PatchOptions meta/v1.PatchOptions
batch/v1 UpdateOptions meta/v1.UpdateOptions
batch/v1 WatchEvent meta/v1.WatchEvent
batch/v1beta1 CronJob batch/v1beta1.CronJob cronjobs namespaced status
batch/v1beta1 CronJobList batch/v1beta1.CronJobList
certificates.k8s.io/v1 CertificateSigningRequest certificates/v1.CertificateSigningRequest certificatesigningrequests cluster approval,status
certificates.k8s.io/v1 CertificateSigningRequestList certificates/v1.CertificateSigningRequestList
certificates.k8s.io/v1 ClusterTrustBundle certificates/v1.ClusterTrustBundle clustertrustbundles cluster - +37
certificates.k8s.io/v1 ClusterTrustBundleList certificates/v1.ClusterTrustBundleList +37
certificates.k8s.io/v1 CreateOptions meta/v1.CreateOptions
certificates.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions
certificates.k8s.io/v1 GetOptions meta/v1.GetOptions
certificates.k8s.io/v1 ListOptions meta/v1.ListOptions
certificates.k8s.io/v1 PatchOptions meta/v1.PatchOptions
certificates.k8s.io/v1 PodCertificateRequest certificates/v1.PodCertificateRequest podcertificaterequests namespaced status +37
certificates.k8s.io/v1 PodCertificateRequestList certificates/v1.PodCertificateRequestList +37
certificates.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions
certificates.k8s.io/v1 WatchEvent meta/v1.WatchEvent
certificates.k8s.io/v1alpha1 ClusterTrustBundle certificates/v1alpha1.ClusterTrustBundle clustertrustbundles cluster -
certificates.k8s.io/v1alpha1 ClusterTrustBundleList certificates/v1alpha1.ClusterTrustBundleList
certificates.k8s.io/v1alpha1 PodCertificateRequest certificates/v1alpha1.PodCertificateRequest podcertificaterequests namespaced status +34-35
certificates.k8s.io/v1alpha1 PodCertificateRequestList certificates/v1alpha1.PodCertificateRequestList +34-35
certificates.k8s.io/v1beta1 CertificateSigningRequest certificates/v1beta1.CertificateSigningRequest certificatesigningrequests cluster status
certificates.k8s.io/v1beta1 CertificateSigningRequestList certificates/v1beta1.CertificateSigningRequestList
certificates.k8s.io/v1beta1 ClusterTrustBundle certificates/v1beta1.ClusterTrustBundle clustertrustbundles cluster - +33
certificates.k8s.io/v1beta1 ClusterTrustBundleList certificates/v1beta1.ClusterTrustBundleList +33
certificates.k8s.io/v1beta1 PodCertificateRequest certificates/v1beta1.PodCertificateRequest podcertificaterequests namespaced status +35
certificates.k8s.io/v1beta1 PodCertificateRequestList certificates/v1beta1.PodCertificateRequestList +35
coordination.k8s.io/v1 CreateOptions meta/v1.CreateOptions
coordination.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions
coordination.k8s.io/v1 GetOptions meta/v1.GetOptions
coordination.k8s.io/v1 Lease coordination/v1.Lease leases namespaced -
coordination.k8s.io/v1 LeaseList coordination/v1.LeaseList
coordination.k8s.io/v1 ListOptions meta/v1.ListOptions
coordination.k8s.io/v1 PatchOptions meta/v1.PatchOptions
coordination.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions
coordination.k8s.io/v1 WatchEvent meta/v1.WatchEvent
coordination.k8s.io/v1alpha1 LeaseCandidate coordination/v1alpha1.LeaseCandidate leasecandidates namespaced - +31-32
coordination.k8s.io/v1alpha1 LeaseCandidateList coordination/v1alpha1.LeaseCandidateList +31-32
coordination.k8s.io/v1alpha2 LeaseCandidate coordination/v1alpha2.LeaseCandidate leasecandidates namespaced - +32
coordination.k8s.io/v1alpha2 LeaseCandidateList coordination/v1alpha2.LeaseCandidateList +32
coordination.k8s.io/v1beta1 Lease coordination/v1beta1.Lease leases namespaced -
coordination.k8s.io/v1beta1 LeaseCandidate coordination/v1beta1.LeaseCandidate leasecandidates namespaced - +33
coordination.k8s.io/v1beta1 LeaseCandidateList coordination/v1beta1.LeaseCandidateList +33
coordination.k8s.io/v1beta1 LeaseList coordination/v1beta1.LeaseList
discovery.k8s.io/v1 CreateOptions meta/v1.CreateOptions
discovery.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions
discovery.k8s.io/v1 EndpointSlice discovery/v1.EndpointSlice endpointslices namespaced -
discovery.k8s.io/v1 EndpointSliceList discovery/v1.EndpointSliceList
discovery.k8s.io/v1 GetOptions meta/v1.GetOptions
discovery.k8s.io/v1 ListOptions meta/v1.ListOptions
discovery.k8s.io/v1 PatchOptions meta/v1.PatchOptions
discovery.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions
discovery.k8s.io/v1 WatchEvent meta/v1.WatchEvent
discovery.k8s.io/v1beta1 EndpointSlice discovery/v1beta1.EndpointSlice endpointslices namespaced -
discovery.k8s.io/v1beta1 EndpointSliceList discovery/v1beta1.EndpointSliceList
events.k8s.io/v1 CreateOptions meta/v1.CreateOptions
events.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions
events.k8s.io/v1 Event events/v1.Event events namespaced -
events.k8s.io/v1 EventList events/v1.EventList
events.k8s.io/v1 GetOptions meta/v1.GetOptions
events.k8s.io/v1 ListOptions meta/v1.ListOptions
events.k8s.io/v1 PatchOptions meta/v1.PatchOptions
events.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions
events.k8s.io/v1 WatchEvent meta/v1.WatchEvent
events.k8s.io/v1beta1 Event events/v1beta1.Event events namespaced -
events.k8s.io/v1beta1 EventList events/v1beta1.EventList
extensions/v1beta1 DaemonSet extensions/v1beta1.DaemonSet daemonsets namespaced status
extensions/v1beta1 DaemonSetList extensions/v1beta1.DaemonSetList
extensions/v1beta1 Deployment extensions/v1beta1.Deployment deployments namespaced scale,status
extensions/v1beta1 DeploymentList extensions/v1beta1.DeploymentList
extensions/v1beta1 DeploymentRollback extensions/v1beta1.DeploymentRollback
extensions/v1beta1 Ingress extensions/v1beta1.Ingress ingresses namespaced status
extensions/v1beta1 IngressList extensions/v1beta1.IngressList
extensions/v1beta1 NetworkPolicy extensions/v1beta1.NetworkPolicy networkpolicies namespaced -
extensions/v1beta1 NetworkPolicyList extensions/v1beta1.NetworkPolicyList
extensions/v1beta1 ReplicaSet extensions/v1beta1.ReplicaSet replicasets namespaced scale,status
extensions/v1beta1 ReplicaSetList extensions/v1beta1.ReplicaSetList
extensions/v1beta1 Scale extensions/v1beta1.Scale
flowcontrol.apiserver.k8s.io/v1 CreateOptions meta/v1.CreateOptions
flowcontrol.apiserver.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions
flowcontrol.apiserver.k8s.io/v1 FlowSchema flowcontrol/v1.FlowSchema flowschemas cluster status
flowcontrol.apiserver.k8s.io/v1 FlowSchemaList flowcontrol/v1.FlowSchemaList
flowcontrol.apiserver.k8s.io/v1 GetOptions meta/v1.GetOptions
flowcontrol.apiserver.k8s.io/v1 ListOptions meta/v1.ListOptions
flowcontrol.apiserver.k8s.io/v1 PatchOptions meta/v1.PatchOptions
flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration flowcontrol/v1.PriorityLevelConfiguration prioritylevelconfigurations cluster status
flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfigurationList flowcontrol/v1.PriorityLevelConfigurationList
flowcontrol.apiserver.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions
flowcontrol.apiserver.k8s.io/v1 WatchEvent meta/v1.WatchEvent
flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema flowcontrol/v1beta1.FlowSchema flowschemas cluster status
flowcontrol.apiserver.k8s.io/v1beta1 FlowSchemaList flowcontrol/v1beta1.FlowSchemaList
flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration flowcontrol/v1beta1.PriorityLevelConfiguration prioritylevelconfigurations cluster status
flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfigurationList flowcontrol/v1beta1.PriorityLevelConfigurationList
flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema flowcontrol/v1beta2.FlowSchema flowschemas cluster status
flowcontrol.apiserver.k8s.io/v1beta2 FlowSchemaList flowcontrol/v1beta2.FlowSchemaList
flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration flowcontrol/v1beta2.PriorityLevelConfiguration prioritylevelconfigurations cluster status
flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfigurationList flowcontrol/v1beta2.PriorityLevelConfigurationList
flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema flowcontrol/v1beta3.FlowSchema flowschemas cluster status
flowcontrol.apiserver.k8s.io/v1beta3 FlowSchemaList flowcontrol/v1beta3.FlowSchemaList
flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration flowcontrol/v1beta3.PriorityLevelConfiguration prioritylevelconfigurations cluster status
flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfigurationList flowcontrol/v1beta3.PriorityLevelConfigurationList
internal.apiserver.k8s.io/v1alpha1 StorageVersion apiserverinternal/v1alpha1.StorageVersion storageversions cluster status
internal.apiserver.k8s.io/v1alpha1 StorageVersionList apiserverinternal/v1alpha1.StorageVersionList
lifecycle.k8s.io/v1alpha1 Eviction lifecycle/v1alpha1.Eviction evictions namespaced status +37
lifecycle.k8s.io/v1alpha1 EvictionList lifecycle/v1alpha1.EvictionList +37
lifecycle.k8s.io/v1alpha1 EvictionRequest lifecycle/v1alpha1.EvictionRequest evictionrequests namespaced status +37
lifecycle.k8s.io/v1alpha1 EvictionRequestList lifecycle/v1alpha1.EvictionRequestList +37
networking.k8s.io/v1 CreateOptions meta/v1.CreateOptions
networking.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions
networking.k8s.io/v1 GetOptions meta/v1.GetOptions
networking.k8s.io/v1 IPAddress networking/v1.IPAddress ipaddresses cluster - +33
networking.k8s.io/v1 IPAddressList networking/v1.IPAddressList +33
networking.k8s.io/v1 Ingress networking/v1.Ingress ingresses namespaced status
networking.k8s.io/v1 IngressClass networking/v1.IngressClass ingressclasses cluster -
networking.k8s.io/v1 IngressClassList networking/v1.IngressClassList
networking.k8s.io/v1 IngressList networking/v1.IngressList
networking.k8s.io/v1 ListOptions meta/v1.ListOptions
networking.k8s.io/v1 NetworkPolicy networking/v1.NetworkPolicy networkpolicies namespaced -
networking.k8s.io/v1 NetworkPolicyList networking/v1.NetworkPolicyList
networking.k8s.io/v1 PatchOptions meta/v1.PatchOptions
networking.k8s.io/v1 ServiceCIDR networking/v1.ServiceCIDR servicecidrs cluster status +33
networking.k8s.io/v1 ServiceCIDRList networking/v1.ServiceCIDRList +33
networking.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions
networking.k8s.io/v1 WatchEvent meta/v1.WatchEvent
networking.k8s.io/v1alpha1 IPAddress networking/v1alpha1.IPAddress ipaddresses cluster - -34
networking.k8s.io/v1alpha1 IPAddressList networking/v1alpha1.IPAddressList -34
networking.k8s.io/v1alpha1 ServiceCIDR networking/v1alpha1.ServiceCIDR servicecidrs cluster status -34
networking.k8s.io/v1alpha1 ServiceCIDRList networking/v1alpha1.ServiceCIDRList -34
networking.k8s.io/v1beta1 IPAddress networking/v1beta1.IPAddress ipaddresses cluster - +31
networking.k8s.io/v1beta1 IPAddressList networking/v1beta1.IPAddressList +31
networking.k8s.io/v1beta1 Ingress networking/v1beta1.Ingress ingresses namespaced status
networking.k8s.io/v1beta1 IngressClass networking/v1beta1.IngressClass ingressclasses cluster -
networking.k8s.io/v1beta1 IngressClassList networking/v1beta1.IngressClassList
networking.k8s.io/v1beta1 IngressList networking/v1beta1.IngressList
networking.k8s.io/v1beta1 ServiceCIDR networking/v1beta1.ServiceCIDR servicecidrs cluster status +31
networking.k8s.io/v1beta1 ServiceCIDRList networking/v1beta1.ServiceCIDRList +31
node.k8s.io/v1 CreateOptions meta/v1.CreateOptions
node.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions
node.k8s.io/v1 GetOptions meta/v1.GetOptions
node.k8s.io/v1 ListOptions meta/v1.ListOptions
node.k8s.io/v1 PatchOptions meta/v1.PatchOptions
node.k8s.io/v1 RuntimeClass node/v1.RuntimeClass runtimeclasses cluster -
node.k8s.io/v1 RuntimeClassList node/v1.RuntimeClassList
node.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions
node.k8s.io/v1 WatchEvent meta/v1.WatchEvent
node.k8s.io/v1alpha1 RuntimeClass node/v1alpha1.RuntimeClass runtimeclasses cluster -
node.k8s.io/v1alpha1 RuntimeClassList node/v1alpha1.RuntimeClassList
node.k8s.io/v1beta1 RuntimeClass node/v1beta1.RuntimeClass runtimeclasses cluster -
node.k8s.io/v1beta1 RuntimeClassList node/v1beta1.RuntimeClassList
policy/v1 CreateOptions meta/v1.CreateOptions
policy/v1 DeleteOptions meta/v1.DeleteOptions
policy/v1 Eviction policy/v1.Eviction -31
policy/v1 Eviction policy/v1.Eviction evictions namespaced - +31
policy/v1 GetOptions meta/v1.GetOptions
policy/v1 ListOptions meta/v1.ListOptions
policy/v1 PatchOptions meta/v1.PatchOptions
policy/v1 PodDisruptionBudget policy/v1.PodDisruptionBudget poddisruptionbudgets namespaced status
policy/v1 PodDisruptionBudgetList policy/v1.PodDisruptionBudgetList
policy/v1 UpdateOptions meta/v1.UpdateOptions
policy/v1 WatchEvent meta/v1.WatchEvent
policy/v1beta1 Eviction policy/v1beta1.Eviction -31
policy/v1beta1 Eviction policy/v1beta1.Eviction evictions namespaced - +31
policy/v1beta1 PodDisruptionBudget policy/v1beta1.PodDisruptionBudget poddisruptionbudgets namespaced status
policy/v1beta1 PodDisruptionBudgetList policy/v1beta1.PodDisruptionBudgetList
rbac.authorization.k8s.io/v1 ClusterRole rbac/v1.ClusterRole clusterroles cluster -
rbac.authorization.k8s.io/v1 ClusterRoleBinding rbac/v1.ClusterRoleBinding clusterrolebindings cluster -
rbac.authorization.k8s.io/v1 ClusterRoleBindingList rbac/v1.ClusterRoleBindingList
rbac.authorization.k8s.io/v1 ClusterRoleList rbac/v1.ClusterRoleList
rbac.authorization.k8s.io/v1 CreateOptions meta/v1.CreateOptions
rbac.authorization.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions
rbac.authorization.k8s.io/v1 GetOptions meta/v1.GetOptions
rbac.authorization.k8s.io/v1 ListOptions meta/v1.ListOptions
rbac.authorization.k8s.io/v1 PatchOptions meta/v1.PatchOptions
rbac.authorization.k8s.io/v1 Role rbac/v1.Role roles namespaced -
rbac.authorization.k8s.io/v1 RoleBinding rbac/v1.RoleBinding rolebindings namespaced -
rbac.authorization.k8s.io/v1 RoleBindingList rbac/v1.RoleBindingList
rbac.authorization.k8s.io/v1 RoleList rbac/v1.RoleList
rbac.authorization.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions
rbac.authorization.k8s.io/v1 WatchEvent meta/v1.WatchEvent
rbac.authorization.k8s.io/v1alpha1 ClusterRole rbac/v1alpha1.ClusterRole clusterroles cluster -
rbac.authorization.k8s.io/v1alpha1 ClusterRoleBinding rbac/v1alpha1.ClusterRoleBinding clusterrolebindings cluster -
rbac.authorization.k8s.io/v1alpha1 ClusterRoleBindingList rbac/v1alpha1.ClusterRoleBindingList
rbac.authorization.k8s.io/v1alpha1 ClusterRoleList rbac/v1alpha1.ClusterRoleList
rbac.authorization.k8s.io/v1alpha1 Role rbac/v1alpha1.Role roles namespaced -
rbac.authorization.k8s.io/v1alpha1 RoleBinding rbac/v1alpha1.RoleBinding rolebindings namespaced -
rbac.authorization.k8s.io/v1alpha1 RoleBindingList rbac/v1alpha1.RoleBindingList
rbac.authorization.k8s.io/v1alpha1 RoleList rbac/v1alpha1.RoleList
rbac.authorization.k8s.io/v1beta1 ClusterRole rbac/v1beta1.ClusterRole clusterroles cluster -
rbac.authorization.k8s.io/v1beta1 ClusterRoleBinding rbac/v1beta1.ClusterRoleBinding clusterrolebindings cluster -
rbac.authorization.k8s.io/v1beta1 ClusterRoleBindingList rbac/v1beta1.ClusterRoleBindingList
rbac.authorization.k8s.io/v1beta1 ClusterRoleList rbac/v1beta1.ClusterRoleList
rbac.authorization.k8s.io/v1beta1 Role rbac/v1beta1.Role roles namespaced -
rbac.authorization.k8s.io/v1beta1 RoleBinding rbac/v1beta1.RoleBinding rolebindings namespaced -
rbac.authorization.k8s.io/v1beta1 RoleBindingList rbac/v1beta1.RoleBindingList
rbac.authorization.k8s.io/v1beta1 RoleList rbac/v1beta1.RoleList
resource.k8s.io/v1alpha2 PodSchedulingContext resource/v1alpha2.PodSchedulingContext podschedulingcontexts namespaced status -31
resource.k8s.io/v1alpha2 PodSchedulingContextList resource/v1alpha2.PodSchedulingContextList -31
resource.k8s.io/v1alpha2 ResourceClaim resource/v1alpha2.ResourceClaim resourceclaims namespaced status -31
resource.k8s.io/v1alpha2 ResourceClaimList resource/v1alpha2.ResourceClaimList -31
resource.k8s.io/v1alpha2 ResourceClaimParameters resource/v1alpha2.ResourceClaimParameters resourceclaimparameters namespaced - -31
resource.k8s.io/v1alpha2 ResourceClaimParametersList resource/v1alpha2.ResourceClaimParametersList -31
resource.k8s.io/v1alpha2 ResourceClaimTemplate resource/v1alpha2.ResourceClaimTemplate resourceclaimtemplates namespaced - -31
resource.k8s.io/v1alpha2 ResourceClaimTemplateList resource/v1alpha2.ResourceClaimTemplateList -31
resource.k8s.io/v1alpha2 ResourceClass resource/v1alpha2.ResourceClass resourceclasses cluster - -31
resource.k8s.io/v1alpha2 ResourceClassList resource/v1alpha2.ResourceClassList -31
resource.k8s.io/v1alpha2 ResourceClassParameters resource/v1alpha2.ResourceClassParameters resourceclassparameters namespaced - -31
resource.k8s.io/v1alpha2 ResourceClassParametersList resource/v1alpha2.ResourceClassParametersList -31
resource.k8s.io/v1alpha2 ResourceSlice resource/v1alpha2.ResourceSlice resourceslices cluster - -31
resource.k8s.io/v1alpha2 ResourceSliceList resource/v1alpha2.ResourceSliceList -31
resource.k8s.io/v1alpha3 DeviceClass resource/v1alpha3.DeviceClass deviceclasses cluster - +31-34
resource.k8s.io/v1alpha3 DeviceClassList resource/v1alpha3.DeviceClassList +31-34
resource.k8s.io/v1alpha3 PodSchedulingContext resource/v1alpha3.PodSchedulingContext podschedulingcontexts namespaced status +31-32
resource.k8s.io/v1alpha3 PodSchedulingContextList resource/v1alpha3.PodSchedulingContextList +31-32
resource.k8s.io/v1 CreateOptions meta/v1.CreateOptions +34
resource.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions +34
resource.k8s.io/v1 DeviceClass resource/v1.DeviceClass deviceclasses cluster - +34
resource.k8s.io/v1 DeviceClassList resource/v1.DeviceClassList +34
resource.k8s.io/v1 DeviceTaintRule resource/v1.DeviceTaintRule devicetaintrules cluster status +37
resource.k8s.io/v1 DeviceTaintRuleList resource/v1.DeviceTaintRuleList +37
resource.k8s.io/v1 GetOptions meta/v1.GetOptions +34
resource.k8s.io/v1 ListOptions meta/v1.ListOptions +34
resource.k8s.io/v1 PatchOptions meta/v1.PatchOptions +34
resource.k8s.io/v1 ResourceClaim resource/v1.ResourceClaim resourceclaims namespaced status +34
resource.k8s.io/v1 ResourceClaimList resource/v1.ResourceClaimList +34
resource.k8s.io/v1 ResourceClaimTemplate resource/v1.ResourceClaimTemplate resourceclaimtemplates namespaced - +34
resource.k8s.io/v1 ResourceClaimTemplateList resource/v1.ResourceClaimTemplateList +34
resource.k8s.io/v1 ResourceSlice resource/v1.ResourceSlice resourceslices cluster - +34
resource.k8s.io/v1 ResourceSliceList resource/v1.ResourceSliceList +34
resource.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions +34
resource.k8s.io/v1 WatchEvent meta/v1.WatchEvent +34
resource.k8s.io/v1alpha3 DeviceTaintRule resource/v1alpha3.DeviceTaintRule devicetaintrules cluster - +33-35
resource.k8s.io/v1alpha3 DeviceTaintRule resource/v1alpha3.DeviceTaintRule devicetaintrules cluster status +35
resource.k8s.io/v1alpha3 DeviceTaintRuleList resource/v1alpha3.DeviceTaintRuleList +33
resource.k8s.io/v1alpha3 ResourceClaim resource/v1alpha3.ResourceClaim resourceclaims namespaced status +31-34
resource.k8s.io/v1alpha3 ResourceClaimList resource/v1alpha3.ResourceClaimList +31-34
resource.k8s.io/v1alpha3 ResourceClaimTemplate resource/v1alpha3.ResourceClaimTemplate resourceclaimtemplates namespaced - +31-34
resource.k8s.io/v1alpha3 ResourceClaimTemplateList resource/v1alpha3.ResourceClaimTemplateList +31-34
resource.k8s.io/v1alpha3 ResourceSlice resource/v1alpha3.ResourceSlice resourceslices cluster - +31-34
resource.k8s.io/v1alpha3 ResourceSliceList resource/v1alpha3.ResourceSliceList +31-34
resource.k8s.io/v1alpha3 ResourcePoolStatusRequest resource/v1alpha3.ResourcePoolStatusRequest resourcepoolstatusrequests cluster status +36
resource.k8s.io/v1alpha3 ResourcePoolStatusRequestList resource/v1alpha3.ResourcePoolStatusRequestList +36
resource.k8s.io/v1beta1 DeviceClass resource/v1beta1.DeviceClass deviceclasses cluster - +32
resource.k8s.io/v1beta1 DeviceClassList resource/v1beta1.DeviceClassList +32
resource.k8s.io/v1beta1 ResourceClaim resource/v1beta1.ResourceClaim resourceclaims namespaced status +32
resource.k8s.io/v1beta1 ResourceClaimList resource/v1beta1.ResourceClaimList +32
resource.k8s.io/v1beta1 ResourceClaimTemplate resource/v1beta1.ResourceClaimTemplate resourceclaimtemplates namespaced - +32
resource.k8s.io/v1beta1 ResourceClaimTemplateList resource/v1beta1.ResourceClaimTemplateList +32
resource.k8s.io/v1beta1 ResourceSlice resource/v1beta1.ResourceSlice resourceslices cluster - +32
resource.k8s.io/v1beta1 ResourceSliceList resource/v1beta1.ResourceSliceList +32
resource.k8s.io/v1beta2 DeviceClass resource/v1beta2.DeviceClass deviceclasses cluster - +33
resource.k8s.io/v1beta2 DeviceClassList resource/v1beta2.DeviceClassList +33
resource.k8s.io/v1beta2 DeviceTaintRule resource/v1beta2.DeviceTaintRule devicetaintrules cluster status +36
resource.k8s.io/v1beta2 DeviceTaintRuleList resource/v1beta2.DeviceTaintRuleList +36
resource.k8s.io/v1beta2 ResourceClaim resource/v1beta2.ResourceClaim resourceclaims namespaced status +33
resource.k8s.io/v1beta2 ResourceClaimList resource/v1beta2.ResourceClaimList +33
resource.k8s.io/v1beta2 ResourceClaimTemplate resource/v1beta2.ResourceClaimTemplate resourceclaimtemplates namespaced - +33
resource.k8s.io/v1beta2 ResourceClaimTemplateList resource/v1beta2.ResourceClaimTemplateList +33
resource.k8s.io/v1beta2 ResourceSlice resource/v1beta2.ResourceSlice resourceslices cluster - +33
resource.k8s.io/v1beta2 ResourceSliceList resource/v1beta2.ResourceSliceList +33
scheduling.k8s.io/v1 CreateOptions meta/v1.CreateOptions
scheduling.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions
scheduling.k8s.io/v1 GetOptions meta/v1.GetOptions
scheduling.k8s.io/v1 ListOptions meta/v1.ListOptions
scheduling.k8s.io/v1 PatchOptions meta/v1.PatchOptions
scheduling.k8s.io/v1 PriorityClass scheduling/v1.PriorityClass priorityclasses cluster -
scheduling.k8s.io/v1 PriorityClassList scheduling/v1.PriorityClassList
scheduling.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions
scheduling.k8s.io/v1 WatchEvent meta/v1.WatchEvent
scheduling.k8s.io/v1alpha1 PriorityClass scheduling/v1alpha1.PriorityClass priorityclasses cluster - -36
scheduling.k8s.io/v1alpha1 PriorityClassList scheduling/v1alpha1.PriorityClassList -36
scheduling.k8s.io/v1alpha1 Workload scheduling/v1alpha1.Workload workloads namespaced - +35-36
scheduling.k8s.io/v1alpha1 WorkloadList scheduling/v1alpha1.WorkloadList +35-36
scheduling.k8s.io/v1alpha2 PodGroup scheduling/v1alpha2.PodGroup podgroups namespaced status +36-37
scheduling.k8s.io/v1alpha2 PodGroupList scheduling/v1alpha2.PodGroupList +36-37
scheduling.k8s.io/v1alpha2 Workload scheduling/v1alpha2.Workload workloads namespaced - +36-37
scheduling.k8s.io/v1alpha2 WorkloadList scheduling/v1alpha2.WorkloadList +36-37
scheduling.k8s.io/v1alpha3 CompositePodGroup scheduling/v1alpha3.CompositePodGroup compositepodgroups namespaced status +37
scheduling.k8s.io/v1alpha3 CompositePodGroupList scheduling/v1alpha3.CompositePodGroupList +37
scheduling.k8s.io/v1alpha3 PodGroup scheduling/v1alpha3.PodGroup podgroups namespaced status +37
scheduling.k8s.io/v1alpha3 PodGroupList scheduling/v1alpha3.PodGroupList +37
scheduling.k8s.io/v1alpha3 Workload scheduling/v1alpha3.Workload workloads namespaced - +37
scheduling.k8s.io/v1alpha3 WorkloadList scheduling/v1alpha3.WorkloadList +37
scheduling.k8s.io/v1beta1 CompositePodGroup scheduling/v1beta1.CompositePodGroup compositepodgroups namespaced status +38
scheduling.k8s.io/v1beta1 CompositePodGroupList scheduling/v1beta1.CompositePodGroupList +38
scheduling.k8s.io/v1beta1 PodGroup scheduling/v1beta1.PodGroup podgroups namespaced status +37
scheduling.k8s.io/v1beta1 PodGroupList scheduling/v1beta1.PodGroupList +37
scheduling.k8s.io/v1beta1 PriorityClass scheduling/v1beta1.PriorityClass priorityclasses cluster -
scheduling.k8s.io/v1beta1 PriorityClassList scheduling/v1beta1.PriorityClassList
scheduling.k8s.io/v1beta1 Workload scheduling/v1beta1.Workload workloads namespaced - +37
scheduling.k8s.io/v1beta1 WorkloadList scheduling/v1beta1.WorkloadList +37
storage.k8s.io/v1 CSIDriver storage/v1.CSIDriver csidrivers cluster -
storage.k8s.io/v1 CSIDriverList storage/v1.CSIDriverList
storage.k8s.io/v1 CSINode storage/v1.CSINode csinodes cluster - -37
storage.k8s.io/v1 CSINode storage/v1.CSINode csinodes cluster status +37
storage.k8s.io/v1 CSINodeList storage/v1.CSINodeList
storage.k8s.io/v1 CSIStorageCapacity storage/v1.CSIStorageCapacity csistoragecapacities namespaced -
storage.k8s.io/v1 CSIStorageCapacityList storage/v1.CSIStorageCapacityList
storage.k8s.io/v1 CreateOptions meta/v1.CreateOptions
storage.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions
storage.k8s.io/v1 GetOptions meta/v1.GetOptions
storage.k8s.io/v1 ListOptions meta/v1.ListOptions
storage.k8s.io/v1 PatchOptions meta/v1.PatchOptions
storage.k8s.io/v1 StorageClass storage/v1.StorageClass storageclasses cluster -
storage.k8s.io/v1 StorageClassList storage/v1.StorageClassList
storage.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions
storage.k8s.io/v1 VolumeAttachment storage/v1.VolumeAttachment volumeattachments cluster status
storage.k8s.io/v1 VolumeAttachmentList storage/v1.VolumeAttachmentList
storage.k8s.io/v1 VolumeAttributesClass storage/v1.VolumeAttributesClass volumeattributesclasses cluster - +34
storage.k8s.io/v1 VolumeAttributesClassList storage/v1.VolumeAttributesClassList +34
storage.k8s.io/v1 WatchEvent meta/v1.WatchEvent
storage.k8s.io/v1alpha1 CSIStorageCapacity storage/v1alpha1.CSIStorageCapacity csistoragecapacities namespaced -
storage.k8s.io/v1alpha1 CSIStorageCapacityList storage/v1alpha1.CSIStorageCapacityList
storage.k8s.io/v1alpha1 VolumeAttachment storage/v1alpha1.VolumeAttachment volumeattachments cluster status
storage.k8s.io/v1alpha1 VolumeAttachmentList storage/v1alpha1.VolumeAttachmentList
storage.k8s.io/v1alpha1 VolumeAttributesClass storage/v1alpha1.VolumeAttributesClass volumeattributesclasses cluster -
storage.k8s.io/v1alpha1 VolumeAttributesClassList storage/v1alpha1.VolumeAttributesClassList
storage.k8s.io/v1beta1 CSIDriver storage/v1beta1.CSIDriver csidrivers cluster -
storage.k8s.io/v1beta1 CSIDriverList storage/v1beta1.CSIDriverList
storage.k8s.io/v1beta1 CSINode storage/v1beta1.CSINode csinodes cluster - -37
storage.k8s.io/v1beta1 CSINode storage/v1beta1.CSINode csinodes cluster status +37
storage.k8s.io/v1beta1 CSINodeList storage/v1beta1.CSINodeList
storage.k8s.io/v1beta1 CSIStorageCapacity storage/v1beta1.CSIStorageCapacity csistoragecapacities namespaced -
storage.k8s.io/v1beta1 CSIStorageCapacityList storage/v1beta1.CSIStorageCapacityList
storage.k8s.io/v1beta1 StorageClass storage/v1beta1.StorageClass storageclasses cluster -
storage.k8s.io/v1beta1 StorageClassList storage/v1beta1.StorageClassList
storage.k8s.io/v1beta1 VolumeAttachment storage/v1beta1.VolumeAttachment volumeattachments cluster status
storage.k8s.io/v1beta1 VolumeAttachmentList storage/v1beta1.VolumeAttachmentList
storage.k8s.io/v1beta1 VolumeAttributesClass storage/v1beta1.VolumeAttributesClass volumeattributesclasses cluster - +31
storage.k8s.io/v1beta1 VolumeAttributesClassList storage/v1beta1.VolumeAttributesClassList +31
storagemigration.k8s.io/v1alpha1 StorageVersionMigration storagemigration/v1alpha1.StorageVersionMigration storageversionmigrations cluster status -35
storagemigration.k8s.io/v1alpha1 StorageVersionMigrationList storagemigration/v1alpha1.StorageVersionMigrationList -35
storagemigration.k8s.io/v1 CreateOptions meta/v1.CreateOptions +37
storagemigration.k8s.io/v1 DeleteOptions meta/v1.DeleteOptions +37
storagemigration.k8s.io/v1 GetOptions meta/v1.GetOptions +37
storagemigration.k8s.io/v1 ListOptions meta/v1.ListOptions +37
storagemigration.k8s.io/v1 PatchOptions meta/v1.PatchOptions +37
storagemigration.k8s.io/v1 StorageVersionMigration storagemigration/v1.StorageVersionMigration storageversionmigrations cluster status +37
storagemigration.k8s.io/v1 StorageVersionMigrationList storagemigration/v1.StorageVersionMigrationList +37
storagemigration.k8s.io/v1 UpdateOptions meta/v1.UpdateOptions +37
storagemigration.k8s.io/v1 WatchEvent meta/v1.WatchEvent +37
storagemigration.k8s.io/v1beta1 StorageVersionMigration storagemigration/v1beta1.StorageVersionMigration storageversionmigrations cluster status +35
storagemigration.k8s.io/v1beta1 StorageVersionMigrationList storagemigration/v1beta1.StorageVersionMigrationList +35
`;

/** Returns the table of the types, grouped by package. The fields of a struct follow on the lines after the struct. */
export const types = (): string => `\
@admission/v1
#AdmissionRequest
uid types.UID
kind meta/v1.GroupVersionKind
resource meta/v1.GroupVersionResource
subResource? string
requestKind? *meta/v1.GroupVersionKind
requestResource? *meta/v1.GroupVersionResource
requestSubResource? string
name? string
namespace? string
operation .Operation
userInfo authentication/v1.UserInfo
object? runtime.RawExtension
oldObject? runtime.RawExtension
dryRun? *bool
options? runtime.RawExtension
:Operation string
@admissionregistration/v1
#ApplyConfiguration
expression? string +36
#AuditAnnotation
key string
valueExpression string
#ExpressionWarning
fieldRef string
warning string
:FailurePolicyType string
#JSONPatch
expression? string +36
#MatchCondition
name string def=""
expression string
:MatchPolicyType string
#MatchResources
atomic
namespaceSelector? *meta/v1.LabelSelector
objectSelector? *meta/v1.LabelSelector
resourceRules? [].NamedRuleWithOperations
excludeResourceRules? [].NamedRuleWithOperations
matchPolicy? *.MatchPolicyType
#MutatingAdmissionPolicy
=TypeMeta meta/v1.TypeMeta +36
metadata? meta/v1.ObjectMeta +36
spec? .MutatingAdmissionPolicySpec +36
#MutatingAdmissionPolicyBinding
=TypeMeta meta/v1.TypeMeta +36
metadata? meta/v1.ObjectMeta +36
spec? .MutatingAdmissionPolicyBindingSpec +36
#MutatingAdmissionPolicyBindingList
=TypeMeta meta/v1.TypeMeta +36
metadata? meta/v1.ListMeta +36
items [].MutatingAdmissionPolicyBinding +36
#MutatingAdmissionPolicyBindingSpec
policyName? string +36
paramRef? *.ParamRef +36
matchResources? *.MatchResources +36
#MutatingAdmissionPolicyList
=TypeMeta meta/v1.TypeMeta +36
metadata? meta/v1.ListMeta +36
items [].MutatingAdmissionPolicy +36
#MutatingAdmissionPolicySpec
paramKind? *.ParamKind +36
matchConstraints? *.MatchResources +36
variables? [].Variable +36
mutations? [].Mutation +36
failurePolicy? *.FailurePolicyType +36
matchConditions? [].MatchCondition by=name +36
reinvocationPolicy? .ReinvocationPolicyType +36
#MutatingWebhook
name string def=""
clientConfig .WebhookClientConfig
rules? [].RuleWithOperations
failurePolicy? *.FailurePolicyType
matchPolicy? *.MatchPolicyType
namespaceSelector? *meta/v1.LabelSelector
objectSelector? *meta/v1.LabelSelector
sideEffects *.SideEffectClass
timeoutSeconds? *int32
admissionReviewVersions []string
reinvocationPolicy? *.ReinvocationPolicyType
matchConditions? [].MatchCondition by=name
#MutatingWebhookConfiguration
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
webhooks? [].MutatingWebhook by=name
#MutatingWebhookConfigurationList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].MutatingWebhookConfiguration
#Mutation
patchType .PatchType +36
applyConfiguration? *.ApplyConfiguration +36
jsonPatch? *.JSONPatch +36
#NamedRuleWithOperations
atomic
resourceNames? []string
=RuleWithOperations .RuleWithOperations
:OperationType string
#ParamKind
atomic
apiVersion? string
kind? string
#ParamRef
atomic
name? string
namespace? string
selector? *meta/v1.LabelSelector
parameterNotFoundAction? *.ParameterNotFoundActionType
:ParameterNotFoundActionType string
:PatchType string
:ReinvocationPolicyType string
#Rule
apiGroups? []string
apiVersions? []string
resources? []string
scope? *.ScopeType
#RuleWithOperations
operations? [].OperationType
=Rule .Rule
:ScopeType string
#ServiceReference
namespace string
name string
path? *string
port? *int32
:SideEffectClass string
#TypeChecking
expressionWarnings? [].ExpressionWarning
#ValidatingAdmissionPolicy
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ValidatingAdmissionPolicySpec
status? .ValidatingAdmissionPolicyStatus
#ValidatingAdmissionPolicyBinding
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ValidatingAdmissionPolicyBindingSpec
#ValidatingAdmissionPolicyBindingList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ValidatingAdmissionPolicyBinding
#ValidatingAdmissionPolicyBindingSpec
policyName? string
paramRef? *.ParamRef
matchResources? *.MatchResources
validationActions? [].ValidationAction set
#ValidatingAdmissionPolicyList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ValidatingAdmissionPolicy
#ValidatingAdmissionPolicySpec
paramKind? *.ParamKind
matchConstraints? *.MatchResources
validations? [].Validation
failurePolicy? *.FailurePolicyType
auditAnnotations? [].AuditAnnotation
matchConditions? [].MatchCondition by=name
variables? [].Variable by=name
#ValidatingAdmissionPolicyStatus
observedGeneration? int64
typeChecking? *.TypeChecking
conditions? []meta/v1.Condition by=type
#ValidatingWebhook
name string def=""
clientConfig .WebhookClientConfig
rules? [].RuleWithOperations
failurePolicy? *.FailurePolicyType
matchPolicy? *.MatchPolicyType
namespaceSelector? *meta/v1.LabelSelector
objectSelector? *meta/v1.LabelSelector
sideEffects *.SideEffectClass
timeoutSeconds? *int32
admissionReviewVersions []string
matchConditions? [].MatchCondition by=name
#ValidatingWebhookConfiguration
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
webhooks? [].ValidatingWebhook by=name
#ValidatingWebhookConfigurationList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ValidatingWebhookConfiguration
#Validation
expression string
message? string
reason? *meta/v1.StatusReason
messageExpression? string
:ValidationAction string
#Variable
atomic
name string def=""
expression string
#WebhookClientConfig
url? *string
service? *.ServiceReference
caBundle? []uint8
@admissionregistration/v1alpha1
#ApplyConfiguration
expression? string +32
#AuditAnnotation
key string
valueExpression string
#ExpressionWarning
fieldRef string
warning string
:FailurePolicyType string
#JSONPatch
expression? string +32
#MatchCondition
name string def=""
expression string
:MatchPolicyType string
#MatchResources
atomic
namespaceSelector? *meta/v1.LabelSelector
objectSelector? *meta/v1.LabelSelector
resourceRules? [].NamedRuleWithOperations
excludeResourceRules? [].NamedRuleWithOperations
matchPolicy? *.MatchPolicyType
#MutatingAdmissionPolicy
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ObjectMeta +32
spec? .MutatingAdmissionPolicySpec +32
#MutatingAdmissionPolicyBinding
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ObjectMeta +32
spec? .MutatingAdmissionPolicyBindingSpec +32
#MutatingAdmissionPolicyBindingList
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ListMeta +32
items [].MutatingAdmissionPolicyBinding +32
#MutatingAdmissionPolicyBindingSpec
policyName? string +32
paramRef? *.ParamRef +32
matchResources? *.MatchResources +32
#MutatingAdmissionPolicyList
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ListMeta +32
items [].MutatingAdmissionPolicy +32
#MutatingAdmissionPolicySpec
paramKind? *.ParamKind +32
matchConstraints? *.MatchResources +32
variables? [].Variable +32
mutations? [].Mutation +32
failurePolicy? *.FailurePolicyType +32
matchConditions? [].MatchCondition by=name +32
reinvocationPolicy? admissionregistration/v1.ReinvocationPolicyType +32
#Mutation
patchType .PatchType +32
applyConfiguration? *.ApplyConfiguration +32
jsonPatch? *.JSONPatch +32
#NamedRuleWithOperations
atomic
resourceNames? []string
=RuleWithOperations admissionregistration/v1.RuleWithOperations
#ParamKind
atomic
apiVersion? string
kind? string
#ParamRef
atomic
name? string
namespace? string
selector? *meta/v1.LabelSelector
parameterNotFoundAction? *.ParameterNotFoundActionType
:ParameterNotFoundActionType string
:PatchType string
#TypeChecking
expressionWarnings? [].ExpressionWarning
#ValidatingAdmissionPolicy
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ValidatingAdmissionPolicySpec
status? .ValidatingAdmissionPolicyStatus
#ValidatingAdmissionPolicyBinding
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ValidatingAdmissionPolicyBindingSpec
#ValidatingAdmissionPolicyBindingList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ValidatingAdmissionPolicyBinding
#ValidatingAdmissionPolicyBindingSpec
policyName? string
paramRef? *.ParamRef
matchResources? *.MatchResources
validationActions? [].ValidationAction set
#ValidatingAdmissionPolicyList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ValidatingAdmissionPolicy
#ValidatingAdmissionPolicySpec
paramKind? *.ParamKind
matchConstraints? *.MatchResources
validations? [].Validation
failurePolicy? *.FailurePolicyType
auditAnnotations? [].AuditAnnotation
matchConditions? [].MatchCondition by=name
variables? [].Variable by=name
#ValidatingAdmissionPolicyStatus
observedGeneration? int64
typeChecking? *.TypeChecking
conditions? []meta/v1.Condition by=type
#Validation
expression string
message? string
reason? *meta/v1.StatusReason
messageExpression? string
:ValidationAction string
#Variable
name string def=""
expression string
@admissionregistration/v1beta1
#ApplyConfiguration
expression? string +34
#AuditAnnotation
key string
valueExpression string
#ExpressionWarning
fieldRef string
warning string
:FailurePolicyType string
#JSONPatch
expression? string +34
#MatchCondition
name string def=""
expression string
:MatchPolicyType string
#MatchResources
atomic
namespaceSelector? *meta/v1.LabelSelector
objectSelector? *meta/v1.LabelSelector
resourceRules? [].NamedRuleWithOperations
excludeResourceRules? [].NamedRuleWithOperations
matchPolicy? *.MatchPolicyType
#MutatingAdmissionPolicy
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ObjectMeta +34
spec? .MutatingAdmissionPolicySpec +34
#MutatingAdmissionPolicyBinding
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ObjectMeta +34
spec? .MutatingAdmissionPolicyBindingSpec +34
#MutatingAdmissionPolicyBindingList
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ListMeta +34
items [].MutatingAdmissionPolicyBinding +34
#MutatingAdmissionPolicyBindingSpec
policyName? string +34
paramRef? *.ParamRef +34
matchResources? *.MatchResources +34
#MutatingAdmissionPolicyList
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ListMeta +34
items [].MutatingAdmissionPolicy +34
#MutatingAdmissionPolicySpec
paramKind? *.ParamKind +34
matchConstraints? *.MatchResources +34
variables? [].Variable +34
mutations? [].Mutation +34
failurePolicy? *.FailurePolicyType +34
matchConditions? [].MatchCondition by=name +34
reinvocationPolicy? admissionregistration/v1.ReinvocationPolicyType +34
#MutatingWebhook
name string def=""
clientConfig .WebhookClientConfig
rules? []admissionregistration/v1.RuleWithOperations
failurePolicy? *.FailurePolicyType
matchPolicy? *.MatchPolicyType
namespaceSelector? *meta/v1.LabelSelector
objectSelector? *meta/v1.LabelSelector
sideEffects? *.SideEffectClass
timeoutSeconds? *int32
admissionReviewVersions? []string
reinvocationPolicy? *.ReinvocationPolicyType -34
reinvocationPolicy? *admissionregistration/v1.ReinvocationPolicyType +34
matchConditions? [].MatchCondition by=name
#MutatingWebhookConfiguration
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
webhooks? [].MutatingWebhook by=name
#MutatingWebhookConfigurationList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].MutatingWebhookConfiguration
#Mutation
patchType .PatchType +34
applyConfiguration? *.ApplyConfiguration +34
jsonPatch? *.JSONPatch +34
#NamedRuleWithOperations
atomic
resourceNames? []string
=RuleWithOperations admissionregistration/v1.RuleWithOperations
#ParamKind
atomic
apiVersion? string
kind? string
#ParamRef
atomic
name? string
namespace? string
selector? *meta/v1.LabelSelector
parameterNotFoundAction? *.ParameterNotFoundActionType
:ParameterNotFoundActionType string
:PatchType string
:ReinvocationPolicyType string
#ServiceReference
namespace string
name string
path? *string
port? *int32
:SideEffectClass string
#TypeChecking
expressionWarnings? [].ExpressionWarning
#ValidatingAdmissionPolicy
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ValidatingAdmissionPolicySpec
status? .ValidatingAdmissionPolicyStatus
#ValidatingAdmissionPolicyBinding
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ValidatingAdmissionPolicyBindingSpec
#ValidatingAdmissionPolicyBindingList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ValidatingAdmissionPolicyBinding
#ValidatingAdmissionPolicyBindingSpec
policyName? string
paramRef? *.ParamRef
matchResources? *.MatchResources
validationActions? [].ValidationAction set
#ValidatingAdmissionPolicyList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ValidatingAdmissionPolicy
#ValidatingAdmissionPolicySpec
paramKind? *.ParamKind
matchConstraints? *.MatchResources
validations? [].Validation
failurePolicy? *.FailurePolicyType
auditAnnotations? [].AuditAnnotation
matchConditions? [].MatchCondition by=name
variables? [].Variable by=name
#ValidatingAdmissionPolicyStatus
observedGeneration? int64
typeChecking? *.TypeChecking
conditions? []meta/v1.Condition by=type
#ValidatingWebhook
name string def=""
clientConfig .WebhookClientConfig
rules? []admissionregistration/v1.RuleWithOperations
failurePolicy? *.FailurePolicyType
matchPolicy? *.MatchPolicyType
namespaceSelector? *meta/v1.LabelSelector
objectSelector? *meta/v1.LabelSelector
sideEffects? *.SideEffectClass
timeoutSeconds? *int32
admissionReviewVersions? []string
matchConditions? [].MatchCondition by=name
#ValidatingWebhookConfiguration
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
webhooks? [].ValidatingWebhook by=name
#ValidatingWebhookConfigurationList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ValidatingWebhookConfiguration
#Validation
expression string
message? string
reason? *meta/v1.StatusReason
messageExpression? string
:ValidationAction string
#Variable
atomic
name string def=""
expression string
#WebhookClientConfig
url? *string
service? *.ServiceReference
caBundle? []uint8
@apiserverinternal/v1alpha1
:ConditionStatus string
#ServerStorageVersion
apiServerID? string
encodingVersion? string
decodableVersions? []string set
servedVersions? []string set
#StorageVersion
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .StorageVersionSpec
status .StorageVersionStatus
#StorageVersionCondition
type .StorageVersionConditionType def=""
status .ConditionStatus
observedGeneration? int64
lastTransitionTime? meta/v1.Time
reason string
message? string
:StorageVersionConditionType string
#StorageVersionList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].StorageVersion
#StorageVersionSpec
#StorageVersionStatus
storageVersions? [].ServerStorageVersion by=apiServerID
commonEncodingVersion? *string
conditions? [].StorageVersionCondition by=type
@apps/v1
#ControllerRevision
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
data? runtime.RawExtension -37
data runtime.RawExtension +37
revision int64
#ControllerRevisionList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ControllerRevision
#DaemonSet
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .DaemonSetSpec
status? .DaemonSetStatus
#DaemonSetCondition
type .DaemonSetConditionType def=""
status core/v1.ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:DaemonSetConditionType string
#DaemonSetList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].DaemonSet
#DaemonSetSpec
selector *meta/v1.LabelSelector
template core/v1.PodTemplateSpec
updateStrategy? .DaemonSetUpdateStrategy
minReadySeconds? int32
revisionHistoryLimit? *int32
#DaemonSetStatus
currentNumberScheduled int32
numberMisscheduled int32
desiredNumberScheduled int32
numberReady int32
observedGeneration? int64
updatedNumberScheduled? int32
numberAvailable? int32
numberUnavailable? int32
collisionCount? *int32
conditions? [].DaemonSetCondition by=type
#DaemonSetUpdateStrategy
type? .DaemonSetUpdateStrategyType
rollingUpdate? *.RollingUpdateDaemonSet
:DaemonSetUpdateStrategyType string
#Deployment
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .DeploymentSpec
status? .DeploymentStatus
#DeploymentCondition
type .DeploymentConditionType def=""
status core/v1.ConditionStatus
lastUpdateTime? meta/v1.Time
lastTransitionTime? meta/v1.Time
reason? string
message? string
:DeploymentConditionType string
#DeploymentList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Deployment
#DeploymentSpec
replicas? *int32
selector *meta/v1.LabelSelector
template core/v1.PodTemplateSpec
strategy? .DeploymentStrategy
minReadySeconds? int32
revisionHistoryLimit? *int32
paused? bool
progressDeadlineSeconds? *int32
#DeploymentStatus
observedGeneration? int64
replicas? int32
updatedReplicas? int32
readyReplicas? int32
availableReplicas? int32
unavailableReplicas? int32
terminatingReplicas? *int32 +33
conditions? [].DeploymentCondition by=type
collisionCount? *int32
#DeploymentStrategy
type? .DeploymentStrategyType
rollingUpdate? *.RollingUpdateDeployment
:DeploymentStrategyType string
:PersistentVolumeClaimRetentionPolicyType string
:PodManagementPolicyType string
#ReplicaSet
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ReplicaSetSpec
status? .ReplicaSetStatus
#ReplicaSetCondition
type .ReplicaSetConditionType def=""
status core/v1.ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:ReplicaSetConditionType string
#ReplicaSetList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ReplicaSet
#ReplicaSetSpec
replicas? *int32
minReadySeconds? int32
selector *meta/v1.LabelSelector
template? core/v1.PodTemplateSpec
#ReplicaSetStatus
replicas int32
fullyLabeledReplicas? int32
readyReplicas? int32
availableReplicas? int32
terminatingReplicas? *int32 +33
observedGeneration? int64
conditions? [].ReplicaSetCondition by=type
#RollingUpdateDaemonSet
maxUnavailable? *intstr.IntOrString
maxSurge? *intstr.IntOrString
#RollingUpdateDeployment
maxUnavailable? *intstr.IntOrString
maxSurge? *intstr.IntOrString
#RollingUpdateStatefulSetStrategy
partition? *int32
maxUnavailable? *intstr.IntOrString
#StatefulSet
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .StatefulSetSpec
status? .StatefulSetStatus
#StatefulSetCondition
type .StatefulSetConditionType def=""
status core/v1.ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:StatefulSetConditionType string
#StatefulSetList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].StatefulSet
#StatefulSetOrdinals
start int32
#StatefulSetPersistentVolumeClaimRetentionPolicy
whenDeleted? .PersistentVolumeClaimRetentionPolicyType
whenScaled? .PersistentVolumeClaimRetentionPolicyType
#StatefulSetSpec
replicas? *int32
selector *meta/v1.LabelSelector
template core/v1.PodTemplateSpec
volumeClaimTemplates? []core/v1.PersistentVolumeClaim
serviceName string
podManagementPolicy? .PodManagementPolicyType
updateStrategy? .StatefulSetUpdateStrategy
revisionHistoryLimit? *int32
minReadySeconds? int32
persistentVolumeClaimRetentionPolicy? *.StatefulSetPersistentVolumeClaimRetentionPolicy
ordinals? *.StatefulSetOrdinals
#StatefulSetStatus
observedGeneration? int64
replicas int32
readyReplicas? int32
currentReplicas? int32
updatedReplicas? int32
currentRevision? string
updateRevision? string
collisionCount? *int32
conditions? [].StatefulSetCondition by=type
availableReplicas int32
#StatefulSetUpdateStrategy
type? .StatefulSetUpdateStrategyType
rollingUpdate? *.RollingUpdateStatefulSetStrategy
:StatefulSetUpdateStrategyType string
@apps/v1beta1
#ControllerRevision
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
data? runtime.RawExtension -37
data runtime.RawExtension +37
revision int64
#ControllerRevisionList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ControllerRevision
#Deployment
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .DeploymentSpec
status? .DeploymentStatus
#DeploymentCondition
type .DeploymentConditionType def=""
status core/v1.ConditionStatus
lastUpdateTime? meta/v1.Time
lastTransitionTime? meta/v1.Time
reason? string
message? string
:DeploymentConditionType string
#DeploymentList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Deployment
#DeploymentRollback
=TypeMeta meta/v1.TypeMeta
name string
updatedAnnotations? map[string]string
rollbackTo .RollbackConfig
#DeploymentSpec
replicas? *int32
selector? *meta/v1.LabelSelector
template core/v1.PodTemplateSpec
strategy? .DeploymentStrategy
minReadySeconds? int32
revisionHistoryLimit? *int32
paused? bool
rollbackTo? *.RollbackConfig
progressDeadlineSeconds? *int32
#DeploymentStatus
observedGeneration? int64
replicas? int32
updatedReplicas? int32
readyReplicas? int32
availableReplicas? int32
unavailableReplicas? int32
terminatingReplicas? *int32 +33
conditions? [].DeploymentCondition by=type
collisionCount? *int32
#DeploymentStrategy
type? .DeploymentStrategyType
rollingUpdate? *.RollingUpdateDeployment
:DeploymentStrategyType string
:PersistentVolumeClaimRetentionPolicyType string
:PodManagementPolicyType string
#RollbackConfig
revision? int64
#RollingUpdateDeployment
maxUnavailable? *intstr.IntOrString
maxSurge? *intstr.IntOrString
#RollingUpdateStatefulSetStrategy
partition? *int32
maxUnavailable? *intstr.IntOrString
#Scale
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ScaleSpec
status? .ScaleStatus
#ScaleSpec
replicas? int32
#ScaleStatus
replicas int32
selector? map[string]string
targetSelector? string
#StatefulSet
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .StatefulSetSpec
status? .StatefulSetStatus
#StatefulSetCondition
type .StatefulSetConditionType def=""
status core/v1.ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:StatefulSetConditionType string
#StatefulSetList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].StatefulSet
#StatefulSetOrdinals
start int32
#StatefulSetPersistentVolumeClaimRetentionPolicy
whenDeleted? .PersistentVolumeClaimRetentionPolicyType
whenScaled? .PersistentVolumeClaimRetentionPolicyType
#StatefulSetSpec
replicas? *int32
selector? *meta/v1.LabelSelector
template core/v1.PodTemplateSpec
volumeClaimTemplates? []core/v1.PersistentVolumeClaim
serviceName string
podManagementPolicy? .PodManagementPolicyType
updateStrategy? .StatefulSetUpdateStrategy
revisionHistoryLimit? *int32
minReadySeconds? int32
persistentVolumeClaimRetentionPolicy? *.StatefulSetPersistentVolumeClaimRetentionPolicy
ordinals? *.StatefulSetOrdinals
#StatefulSetStatus
observedGeneration? *int64
replicas int32
readyReplicas? int32
currentReplicas? int32
updatedReplicas? int32
currentRevision? string
updateRevision? string
collisionCount? *int32
conditions? [].StatefulSetCondition by=type
availableReplicas int32
#StatefulSetUpdateStrategy
type? .StatefulSetUpdateStrategyType
rollingUpdate? *.RollingUpdateStatefulSetStrategy
:StatefulSetUpdateStrategyType string
@apps/v1beta2
#ControllerRevision
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
data? runtime.RawExtension -37
data runtime.RawExtension +37
revision int64
#ControllerRevisionList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ControllerRevision
#DaemonSet
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .DaemonSetSpec
status? .DaemonSetStatus
#DaemonSetCondition
type .DaemonSetConditionType def=""
status core/v1.ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:DaemonSetConditionType string
#DaemonSetList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].DaemonSet
#DaemonSetSpec
selector *meta/v1.LabelSelector
template core/v1.PodTemplateSpec
updateStrategy? .DaemonSetUpdateStrategy
minReadySeconds? int32
revisionHistoryLimit? *int32
#DaemonSetStatus
currentNumberScheduled int32
numberMisscheduled int32
desiredNumberScheduled int32
numberReady int32
observedGeneration? int64
updatedNumberScheduled? int32
numberAvailable? int32
numberUnavailable? int32
collisionCount? *int32
conditions? [].DaemonSetCondition by=type
#DaemonSetUpdateStrategy
type? .DaemonSetUpdateStrategyType
rollingUpdate? *.RollingUpdateDaemonSet
:DaemonSetUpdateStrategyType string
#Deployment
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .DeploymentSpec
status? .DeploymentStatus
#DeploymentCondition
type .DeploymentConditionType def=""
status core/v1.ConditionStatus
lastUpdateTime? meta/v1.Time
lastTransitionTime? meta/v1.Time
reason? string
message? string
:DeploymentConditionType string
#DeploymentList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Deployment
#DeploymentSpec
replicas? *int32
selector *meta/v1.LabelSelector
template core/v1.PodTemplateSpec
strategy? .DeploymentStrategy
minReadySeconds? int32
revisionHistoryLimit? *int32
paused? bool
progressDeadlineSeconds? *int32
#DeploymentStatus
observedGeneration? int64
replicas? int32
updatedReplicas? int32
readyReplicas? int32
availableReplicas? int32
unavailableReplicas? int32
terminatingReplicas? *int32 +33
conditions? [].DeploymentCondition by=type
collisionCount? *int32
#DeploymentStrategy
type? .DeploymentStrategyType
rollingUpdate? *.RollingUpdateDeployment
:DeploymentStrategyType string
:PersistentVolumeClaimRetentionPolicyType string
:PodManagementPolicyType string
#ReplicaSet
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ReplicaSetSpec
status? .ReplicaSetStatus
#ReplicaSetCondition
type .ReplicaSetConditionType def=""
status core/v1.ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:ReplicaSetConditionType string
#ReplicaSetList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ReplicaSet
#ReplicaSetSpec
replicas? *int32
minReadySeconds? int32
selector *meta/v1.LabelSelector
template? core/v1.PodTemplateSpec
#ReplicaSetStatus
replicas int32
fullyLabeledReplicas? int32
readyReplicas? int32
availableReplicas? int32
terminatingReplicas? *int32 +33
observedGeneration? int64
conditions? [].ReplicaSetCondition by=type
#RollingUpdateDaemonSet
maxUnavailable? *intstr.IntOrString
maxSurge? *intstr.IntOrString
#RollingUpdateDeployment
maxUnavailable? *intstr.IntOrString
maxSurge? *intstr.IntOrString
#RollingUpdateStatefulSetStrategy
partition? *int32
maxUnavailable? *intstr.IntOrString
#Scale
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ScaleSpec
status? .ScaleStatus
#ScaleSpec
replicas? int32
#ScaleStatus
replicas int32
selector? map[string]string
targetSelector? string
#StatefulSet
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .StatefulSetSpec
status? .StatefulSetStatus
#StatefulSetCondition
type .StatefulSetConditionType def=""
status core/v1.ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:StatefulSetConditionType string
#StatefulSetList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].StatefulSet
#StatefulSetOrdinals
start int32
#StatefulSetPersistentVolumeClaimRetentionPolicy
whenDeleted? .PersistentVolumeClaimRetentionPolicyType
whenScaled? .PersistentVolumeClaimRetentionPolicyType
#StatefulSetSpec
replicas? *int32
selector *meta/v1.LabelSelector
template core/v1.PodTemplateSpec
volumeClaimTemplates? []core/v1.PersistentVolumeClaim
serviceName string
podManagementPolicy? .PodManagementPolicyType
updateStrategy? .StatefulSetUpdateStrategy
revisionHistoryLimit? *int32
minReadySeconds? int32
persistentVolumeClaimRetentionPolicy? *.StatefulSetPersistentVolumeClaimRetentionPolicy
ordinals? *.StatefulSetOrdinals
#StatefulSetStatus
observedGeneration? int64
replicas int32
readyReplicas? int32
currentReplicas? int32
updatedReplicas? int32
currentRevision? string
updateRevision? string
collisionCount? *int32
conditions? [].StatefulSetCondition by=type
availableReplicas int32
#StatefulSetUpdateStrategy
type? .StatefulSetUpdateStrategyType
rollingUpdate? *.RollingUpdateStatefulSetStrategy
:StatefulSetUpdateStrategyType string
@authentication/v1
:AttestationValue []string
#BoundObjectReference
kind? string
apiVersion? string
name? string
uid? types.UID
:ExtraValue []string
#SelfSubjectReview
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
status? .SelfSubjectReviewStatus
#SelfSubjectReviewStatus
userInfo? .UserInfo
#TokenRequest
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .TokenRequestSpec
status? .TokenRequestStatus
#TokenRequestSpec
audiences []string
expirationSeconds *int64
boundObjectRef *.BoundObjectReference
attestations? map[string].AttestationValue +37
#TokenRequestStatus
token string
expirationTimestamp meta/v1.Time
#TokenReview
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .TokenReviewSpec
status? .TokenReviewStatus
#TokenReviewSpec
token? string
audiences? []string
#TokenReviewStatus
authenticated? bool
user? .UserInfo
audiences? []string
error? string
#UserInfo
username? string
uid? string
groups? []string
extra? map[string].ExtraValue
@authentication/v1alpha1
#SelfSubjectReview
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
status? .SelfSubjectReviewStatus
#SelfSubjectReviewStatus
userInfo? authentication/v1.UserInfo
@authentication/v1beta1
:ExtraValue []string
#SelfSubjectReview
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
status? .SelfSubjectReviewStatus
#SelfSubjectReviewStatus
userInfo? authentication/v1.UserInfo
#TokenReview
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .TokenReviewSpec
status? .TokenReviewStatus
#TokenReviewSpec
token? string
audiences? []string
#TokenReviewStatus
authenticated? bool
user? .UserInfo
audiences? []string
error? string
#UserInfo
username? string
uid? string
groups? []string
extra? map[string].ExtraValue
@authorization/v1
#AuthorizationOptions
handledDecisionTypes [].ConditionsAwareDecisionType +38
#Condition
id string +38
condition? string +38
type? string +38
description? string +38
#ConditionsAwareDecision
type .ConditionsAwareDecisionType +38
deny? *.UnconditionalDecision +38
noOpinion? *.UnconditionalDecision +38
allow? *.UnconditionalDecision +38
conditionsMap? *.ConditionsMap +38
union? [].NamedConditionsAwareDecision +38
:ConditionsAwareDecisionType string
#ConditionsMap
denyConditions? [].Condition +38
noOpinionConditions? [].Condition +38
allowConditions? [].Condition +38
:ExtraValue []string
#FieldSelectorAttributes
rawSelector? string +31
requirements? []meta/v1.FieldSelectorRequirement +31
#LabelSelectorAttributes
rawSelector? string +31
requirements? []meta/v1.LabelSelectorRequirement +31
#LocalSubjectAccessReview
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .SubjectAccessReviewSpec
status? .SubjectAccessReviewStatus
#NamedConditionsAwareDecision
authorizerName string +38
decision .ConditionsAwareDecision +38
#NonResourceAttributes
path? string
verb? string
#NonResourceRule
verbs []string
nonResourceURLs? []string
#ResourceAttributes
namespace? string
verb? string
group? string
version? string
resource? string
subresource? string
name? string
fieldSelector? *.FieldSelectorAttributes +31
labelSelector? *.LabelSelectorAttributes +31
#ResourceRule
verbs []string
apiGroups? []string
resources? []string
resourceNames? []string
#SelfSubjectAccessReview
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .SelfSubjectAccessReviewSpec
status? .SubjectAccessReviewStatus
#SelfSubjectAccessReviewSpec
resourceAttributes? *.ResourceAttributes
nonResourceAttributes? *.NonResourceAttributes
authorizationOptions? *.AuthorizationOptions +38
#SelfSubjectRulesReview
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .SelfSubjectRulesReviewSpec
status? .SubjectRulesReviewStatus
#SelfSubjectRulesReviewSpec
namespace? string
#SubjectAccessReview
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .SubjectAccessReviewSpec
status? .SubjectAccessReviewStatus
#SubjectAccessReviewSpec
resourceAttributes? *.ResourceAttributes
nonResourceAttributes? *.NonResourceAttributes
user? string
groups? []string
extra? map[string].ExtraValue
uid? string
authorizationOptions? *.AuthorizationOptions +38
#SubjectAccessReviewStatus
allowed bool
denied? bool
reason? string
evaluationError? string
conditionalDecision? *.ConditionsAwareDecision +38
#SubjectRulesReviewStatus
resourceRules [].ResourceRule
nonResourceRules [].NonResourceRule
incomplete bool
evaluationError? string
#UnconditionalDecision
reason? string +38
evaluationError? string +38
@authorization/v1alpha1
#AuthorizationConditionsRequest
decision authorization/v1.ConditionsAwareDecision +38
admissionRequest? *admission/v1.AdmissionRequest +38
#AuthorizationConditionsResponse
uid types.UID +38
decision authorization/v1.ConditionsAwareDecision +38
#AuthorizationConditionsReview
=TypeMeta meta/v1.TypeMeta +38
metadata? meta/v1.ObjectMeta +38
request? *.AuthorizationConditionsRequest +38
response? *.AuthorizationConditionsResponse +38
@authorization/v1beta1
:ExtraValue []string
#LocalSubjectAccessReview
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .SubjectAccessReviewSpec
status? .SubjectAccessReviewStatus
#NonResourceAttributes
path? string
verb? string
#NonResourceRule
verbs []string
nonResourceURLs? []string
#ResourceAttributes
namespace? string
verb? string
group? string
version? string
resource? string
subresource? string
name? string
fieldSelector? *authorization/v1.FieldSelectorAttributes +31
labelSelector? *authorization/v1.LabelSelectorAttributes +31
#ResourceRule
verbs []string
apiGroups? []string
resources? []string
resourceNames? []string
#SelfSubjectAccessReview
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .SelfSubjectAccessReviewSpec
status? .SubjectAccessReviewStatus
#SelfSubjectAccessReviewSpec
resourceAttributes? *.ResourceAttributes
nonResourceAttributes? *.NonResourceAttributes
#SelfSubjectRulesReview
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .SelfSubjectRulesReviewSpec
status? .SubjectRulesReviewStatus
#SelfSubjectRulesReviewSpec
namespace? string
#SubjectAccessReview
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .SubjectAccessReviewSpec
status? .SubjectAccessReviewStatus
#SubjectAccessReviewSpec
resourceAttributes? *.ResourceAttributes
nonResourceAttributes? *.NonResourceAttributes
user? string
group? []string
extra? map[string].ExtraValue
uid? string
#SubjectAccessReviewStatus
allowed bool
denied? bool
reason? string
evaluationError? string
#SubjectRulesReviewStatus
resourceRules [].ResourceRule
nonResourceRules [].NonResourceRule
incomplete bool
evaluationError? string
@autoscaling/v1
#CrossVersionObjectReference
atomic
kind string
name string
apiVersion? string
#HorizontalPodAutoscaler
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .HorizontalPodAutoscalerSpec
status? .HorizontalPodAutoscalerStatus
#HorizontalPodAutoscalerList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].HorizontalPodAutoscaler
#HorizontalPodAutoscalerSpec
scaleTargetRef .CrossVersionObjectReference
minReplicas? *int32
maxReplicas int32
targetCPUUtilizationPercentage? *int32
#HorizontalPodAutoscalerStatus
observedGeneration? *int64
lastScaleTime? *meta/v1.Time
currentReplicas int32
desiredReplicas int32
currentCPUUtilizationPercentage? *int32
#Scale
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ScaleSpec
status? .ScaleStatus
#ScaleSpec
replicas? int32
#ScaleStatus
replicas int32
selector? string
@autoscaling/v2
#ContainerResourceMetricSource
name core/v1.ResourceName
target .MetricTarget
container string
#ContainerResourceMetricStatus
name core/v1.ResourceName
current .MetricValueStatus
container string
#CrossVersionObjectReference
kind string
name string
apiVersion? string
#ExternalMetricSource
metric .MetricIdentifier
target .MetricTarget
#ExternalMetricStatus
metric .MetricIdentifier
current .MetricValueStatus
#HPAScalingPolicy
type .HPAScalingPolicyType
value int32
periodSeconds int32
:HPAScalingPolicyType string
#HPAScalingRules
stabilizationWindowSeconds? *int32
selectPolicy? *.ScalingPolicySelect
policies? [].HPAScalingPolicy
tolerance? *resource.Quantity +33
#HorizontalPodAutoscaler
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .HorizontalPodAutoscalerSpec
status? .HorizontalPodAutoscalerStatus
#HorizontalPodAutoscalerBehavior
scaleUp? *.HPAScalingRules
scaleDown? *.HPAScalingRules
#HorizontalPodAutoscalerCondition
type .HorizontalPodAutoscalerConditionType def=""
status core/v1.ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
observedGeneration? *int64 +37
:HorizontalPodAutoscalerConditionType string
#HorizontalPodAutoscalerList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].HorizontalPodAutoscaler
#HorizontalPodAutoscalerSpec
scaleTargetRef .CrossVersionObjectReference
minReplicas? *int32
maxReplicas int32
metrics? [].MetricSpec
behavior? *.HorizontalPodAutoscalerBehavior
#HorizontalPodAutoscalerStatus
observedGeneration? *int64
lastScaleTime? *meta/v1.Time
currentReplicas? int32
desiredReplicas int32
currentMetrics [].MetricStatus
conditions? [].HorizontalPodAutoscalerCondition by=type
#MetricIdentifier
name string
selector? *meta/v1.LabelSelector
:MetricSourceType string
#MetricSpec
type .MetricSourceType
object? *.ObjectMetricSource
pods? *.PodsMetricSource
resource? *.ResourceMetricSource
containerResource? *.ContainerResourceMetricSource
external? *.ExternalMetricSource
#MetricStatus
type .MetricSourceType
object? *.ObjectMetricStatus
pods? *.PodsMetricStatus
resource? *.ResourceMetricStatus
containerResource? *.ContainerResourceMetricStatus
external? *.ExternalMetricStatus
#MetricTarget
type .MetricTargetType
value? *resource.Quantity
averageValue? *resource.Quantity
averageUtilization? *int32
:MetricTargetType string
#MetricValueStatus
value? *resource.Quantity
averageValue? *resource.Quantity
averageUtilization? *int32
#ObjectMetricSource
describedObject .CrossVersionObjectReference
target .MetricTarget
metric .MetricIdentifier
#ObjectMetricStatus
metric .MetricIdentifier
current .MetricValueStatus
describedObject .CrossVersionObjectReference
#PodsMetricSource
metric .MetricIdentifier
target .MetricTarget
#PodsMetricStatus
metric .MetricIdentifier
current .MetricValueStatus
#ResourceMetricSource
name core/v1.ResourceName
target .MetricTarget
#ResourceMetricStatus
name core/v1.ResourceName
current .MetricValueStatus
:ScalingPolicySelect string
@autoscaling/v2beta1
#ContainerResourceMetricSource
name core/v1.ResourceName -36
targetAverageUtilization? *int32 -36
targetAverageValue? *resource.Quantity -36
container string -36
#ContainerResourceMetricStatus
name core/v1.ResourceName -36
currentAverageUtilization? *int32 -36
currentAverageValue resource.Quantity -36
container string -36
#CrossVersionObjectReference
kind string -36
name string -36
apiVersion? string -36
#ExternalMetricSource
metricName string -36
metricSelector? *meta/v1.LabelSelector -36
targetValue? *resource.Quantity -36
targetAverageValue? *resource.Quantity -36
#ExternalMetricStatus
metricName string -36
metricSelector? *meta/v1.LabelSelector -36
currentValue resource.Quantity -36
currentAverageValue? *resource.Quantity -36
#HorizontalPodAutoscaler
=TypeMeta meta/v1.TypeMeta -36
metadata? meta/v1.ObjectMeta -36
spec? .HorizontalPodAutoscalerSpec -36
status? .HorizontalPodAutoscalerStatus -36
#HorizontalPodAutoscalerCondition
type .HorizontalPodAutoscalerConditionType -36
status core/v1.ConditionStatus -36
lastTransitionTime? meta/v1.Time -36
reason? string -36
message? string -36
:HorizontalPodAutoscalerConditionType string
#HorizontalPodAutoscalerList
=TypeMeta meta/v1.TypeMeta -36
metadata? meta/v1.ListMeta -36
items [].HorizontalPodAutoscaler -36
#HorizontalPodAutoscalerSpec
scaleTargetRef .CrossVersionObjectReference -36
minReplicas? *int32 -36
maxReplicas int32 -36
metrics? [].MetricSpec -36
#HorizontalPodAutoscalerStatus
observedGeneration? *int64 -36
lastScaleTime? *meta/v1.Time -36
currentReplicas int32 -36
desiredReplicas int32 -36
currentMetrics [].MetricStatus -36
conditions [].HorizontalPodAutoscalerCondition -36
:MetricSourceType string
#MetricSpec
type .MetricSourceType -36
object? *.ObjectMetricSource -36
pods? *.PodsMetricSource -36
resource? *.ResourceMetricSource -36
containerResource? *.ContainerResourceMetricSource -36
external? *.ExternalMetricSource -36
#MetricStatus
type .MetricSourceType -36
object? *.ObjectMetricStatus -36
pods? *.PodsMetricStatus -36
resource? *.ResourceMetricStatus -36
containerResource? *.ContainerResourceMetricStatus -36
external? *.ExternalMetricStatus -36
#ObjectMetricSource
target .CrossVersionObjectReference -36
metricName string -36
targetValue resource.Quantity -36
selector? *meta/v1.LabelSelector -36
averageValue? *resource.Quantity -36
#ObjectMetricStatus
target .CrossVersionObjectReference -36
metricName string -36
currentValue resource.Quantity -36
selector? *meta/v1.LabelSelector -36
averageValue? *resource.Quantity -36
#PodsMetricSource
metricName string -36
targetAverageValue resource.Quantity -36
selector? *meta/v1.LabelSelector -36
#PodsMetricStatus
metricName string -36
currentAverageValue resource.Quantity -36
selector? *meta/v1.LabelSelector -36
#ResourceMetricSource
name core/v1.ResourceName -36
targetAverageUtilization? *int32 -36
targetAverageValue? *resource.Quantity -36
#ResourceMetricStatus
name core/v1.ResourceName -36
currentAverageUtilization? *int32 -36
currentAverageValue resource.Quantity -36
@autoscaling/v2beta2
#ContainerResourceMetricSource
name core/v1.ResourceName -36
target .MetricTarget -36
container string -36
#ContainerResourceMetricStatus
name core/v1.ResourceName -36
current .MetricValueStatus -36
container string -36
#CrossVersionObjectReference
kind string -36
name string -36
apiVersion? string -36
#ExternalMetricSource
metric .MetricIdentifier -36
target .MetricTarget -36
#ExternalMetricStatus
metric .MetricIdentifier -36
current .MetricValueStatus -36
#HPAScalingPolicy
type .HPAScalingPolicyType -36
value int32 -36
periodSeconds int32 -36
:HPAScalingPolicyType string
#HPAScalingRules
stabilizationWindowSeconds? *int32 -36
selectPolicy? *.ScalingPolicySelect -36
policies? [].HPAScalingPolicy -36
#HorizontalPodAutoscaler
=TypeMeta meta/v1.TypeMeta -36
metadata? meta/v1.ObjectMeta -36
spec? .HorizontalPodAutoscalerSpec -36
status? .HorizontalPodAutoscalerStatus -36
#HorizontalPodAutoscalerBehavior
scaleUp? *.HPAScalingRules -36
scaleDown? *.HPAScalingRules -36
#HorizontalPodAutoscalerCondition
type .HorizontalPodAutoscalerConditionType -36
status core/v1.ConditionStatus -36
lastTransitionTime? meta/v1.Time -36
reason? string -36
message? string -36
:HorizontalPodAutoscalerConditionType string
#HorizontalPodAutoscalerList
=TypeMeta meta/v1.TypeMeta -36
metadata? meta/v1.ListMeta -36
items [].HorizontalPodAutoscaler -36
#HorizontalPodAutoscalerSpec
scaleTargetRef .CrossVersionObjectReference -36
minReplicas? *int32 -36
maxReplicas int32 -36
metrics? [].MetricSpec -36
behavior? *.HorizontalPodAutoscalerBehavior -36
#HorizontalPodAutoscalerStatus
observedGeneration? *int64 -36
lastScaleTime? *meta/v1.Time -36
currentReplicas int32 -36
desiredReplicas int32 -36
currentMetrics [].MetricStatus -36
conditions [].HorizontalPodAutoscalerCondition -36
#MetricIdentifier
name string -36
selector? *meta/v1.LabelSelector -36
:MetricSourceType string
#MetricSpec
type .MetricSourceType -36
object? *.ObjectMetricSource -36
pods? *.PodsMetricSource -36
resource? *.ResourceMetricSource -36
containerResource? *.ContainerResourceMetricSource -36
external? *.ExternalMetricSource -36
#MetricStatus
type .MetricSourceType -36
object? *.ObjectMetricStatus -36
pods? *.PodsMetricStatus -36
resource? *.ResourceMetricStatus -36
containerResource? *.ContainerResourceMetricStatus -36
external? *.ExternalMetricStatus -36
#MetricTarget
type .MetricTargetType -36
value? *resource.Quantity -36
averageValue? *resource.Quantity -36
averageUtilization? *int32 -36
:MetricTargetType string
#MetricValueStatus
value? *resource.Quantity -36
averageValue? *resource.Quantity -36
averageUtilization? *int32 -36
#ObjectMetricSource
describedObject .CrossVersionObjectReference -36
target .MetricTarget -36
metric .MetricIdentifier -36
#ObjectMetricStatus
metric .MetricIdentifier -36
current .MetricValueStatus -36
describedObject .CrossVersionObjectReference -36
#PodsMetricSource
metric .MetricIdentifier -36
target .MetricTarget -36
#PodsMetricStatus
metric .MetricIdentifier -36
current .MetricValueStatus -36
#ResourceMetricSource
name core/v1.ResourceName -36
target .MetricTarget -36
#ResourceMetricStatus
name core/v1.ResourceName -36
current .MetricValueStatus -36
:ScalingPolicySelect string
@batch/v1
:CompletionMode string
:ConcurrencyPolicy string
#CronJob
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .CronJobSpec
status? .CronJobStatus
#CronJobList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].CronJob
#CronJobSpec
schedule string
timeZone? *string
startingDeadlineSeconds? *int64
concurrencyPolicy? .ConcurrencyPolicy
suspend? *bool
jobTemplate .JobTemplateSpec
successfulJobsHistoryLimit? *int32
failedJobsHistoryLimit? *int32
#CronJobStatus
active? []core/v1.ObjectReference
lastScheduleTime? *meta/v1.Time
lastSuccessfulTime? *meta/v1.Time
#Job
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .JobSpec
status? .JobStatus
#JobCondition
type .JobConditionType
status core/v1.ConditionStatus
lastProbeTime? meta/v1.Time
lastTransitionTime? meta/v1.Time
reason? string
message? string
:JobConditionType string
#JobList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Job
#JobSchedulingConfiguration
schedulingPolicy? *scheduling/v1alpha3.WorkloadPodGroupSchedulingPolicy +37-38
schedulingConstraints? *scheduling/v1alpha3.WorkloadPodGroupSchedulingConstraints +37-38
disruptionMode? *scheduling/v1alpha3.WorkloadPodGroupDisruptionMode +37-38
resourceClaims? []scheduling/v1alpha3.WorkloadPodGroupResourceClaim by=name +37-38
schedulingPolicy? *scheduling/v1.WorkloadPodGroupSchedulingPolicy +38
schedulingConstraints? *scheduling/v1.WorkloadPodGroupSchedulingConstraints +38
disruptionMode? *scheduling/v1.WorkloadPodGroupDisruptionMode +38
resourceClaims? []scheduling/v1.WorkloadPodGroupResourceClaim by=name +38
#JobSpec
parallelism? *int32
completions? *int32
activeDeadlineSeconds? *int64
podFailurePolicy? *.PodFailurePolicy
successPolicy? *.SuccessPolicy
backoffLimit? *int32
backoffLimitPerIndex? *int32
maxFailedIndexes? *int32
selector? *meta/v1.LabelSelector
manualSelector? *bool
template core/v1.PodTemplateSpec
ttlSecondsAfterFinished? *int32
completionMode? *.CompletionMode
suspend? *bool
podReplacementPolicy? *.PodReplacementPolicy
managedBy? *string
scheduling? *.JobSchedulingConfiguration +37
#JobStatus
conditions? [].JobCondition
startTime? *meta/v1.Time
completionTime? *meta/v1.Time
active? int32
succeeded? int32
failed? int32
terminating? *int32
completedIndexes? string
failedIndexes? *string
uncountedTerminatedPods? *.UncountedTerminatedPods
ready? *int32
#JobTemplateSpec
metadata? meta/v1.ObjectMeta
spec? .JobSpec
#PodFailurePolicy
rules [].PodFailurePolicyRule
:PodFailurePolicyAction string
:PodFailurePolicyOnExitCodesOperator string
#PodFailurePolicyOnExitCodesRequirement
containerName? *string
operator .PodFailurePolicyOnExitCodesOperator
values []int32 set
#PodFailurePolicyOnPodConditionsPattern
type core/v1.PodConditionType
status core/v1.ConditionStatus
#PodFailurePolicyRule
action .PodFailurePolicyAction
onExitCodes? *.PodFailurePolicyOnExitCodesRequirement
onPodConditions? [].PodFailurePolicyOnPodConditionsPattern
:PodReplacementPolicy string
#SuccessPolicy
rules [].SuccessPolicyRule
#SuccessPolicyRule
succeededIndexes? *string
succeededCount? *int32
#UncountedTerminatedPods
succeeded? []types.UID set
failed? []types.UID set
@batch/v1beta1
:ConcurrencyPolicy string
#CronJob
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .CronJobSpec
status? .CronJobStatus
#CronJobList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].CronJob
#CronJobSpec
schedule string
timeZone? *string
startingDeadlineSeconds? *int64
concurrencyPolicy? .ConcurrencyPolicy
suspend? *bool
jobTemplate .JobTemplateSpec
successfulJobsHistoryLimit? *int32
failedJobsHistoryLimit? *int32
#CronJobStatus
active? []core/v1.ObjectReference
lastScheduleTime? *meta/v1.Time
lastSuccessfulTime? *meta/v1.Time
#JobTemplateSpec
metadata? meta/v1.ObjectMeta
spec? batch/v1.JobSpec
@certificates/v1
#CertificateSigningRequest
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .CertificateSigningRequestSpec
status? .CertificateSigningRequestStatus
#CertificateSigningRequestCondition
type .RequestConditionType def=""
status core/v1.ConditionStatus
reason? string
message? string
lastUpdateTime? meta/v1.Time
lastTransitionTime? meta/v1.Time
#CertificateSigningRequestList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].CertificateSigningRequest
#CertificateSigningRequestSpec
request []uint8
signerName string
expirationSeconds? *int32
usages? [].KeyUsage
username? string
uid? string
groups? []string
extra? map[string].ExtraValue
#CertificateSigningRequestStatus
conditions? [].CertificateSigningRequestCondition by=type
certificate? []uint8
#ClusterTrustBundle
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ObjectMeta +37
spec .ClusterTrustBundleSpec +37
#ClusterTrustBundleList
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ListMeta +37
items [].ClusterTrustBundle +37
#ClusterTrustBundleSpec
signerName? string +37
trustBundle string +37
:ExtraValue []string
:KeyUsage string
#PodCertificateRequest
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ObjectMeta +37
spec .PodCertificateRequestSpec +37
status? .PodCertificateRequestStatus +37
#PodCertificateRequestList
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ListMeta +37
items [].PodCertificateRequest +37
#PodCertificateRequestSpec
signerName string +37
podName string +37
podUID types.UID +37
serviceAccountName string +37
serviceAccountUID types.UID +37
nodeName types.NodeName +37
nodeUID types.UID +37
maxExpirationSeconds? *int32 +37
stubPKCS10Request []uint8 +37
unverifiedUserAnnotations? map[string]string +37
#PodCertificateRequestStatus
conditions? []meta/v1.Condition by=type +37
certificateChain? string +37
notBefore? *meta/v1.Time +37
beginRefreshAt? *meta/v1.Time +37
notAfter? *meta/v1.Time +37
:RequestConditionType string
@certificates/v1alpha1
#ClusterTrustBundle
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .ClusterTrustBundleSpec
#ClusterTrustBundleList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ClusterTrustBundle
#ClusterTrustBundleSpec
signerName? string
trustBundle string
#PodCertificateRequest
=TypeMeta meta/v1.TypeMeta +34-35
metadata? meta/v1.ObjectMeta +34-35
spec .PodCertificateRequestSpec +34-35
status? .PodCertificateRequestStatus +34-35
#PodCertificateRequestList
=TypeMeta meta/v1.TypeMeta +34-35
metadata? meta/v1.ListMeta +34-35
items [].PodCertificateRequest +34-35
#PodCertificateRequestSpec
signerName string +34-35
podName string +34-35
podUID types.UID +34-35
serviceAccountName string +34-35
serviceAccountUID types.UID +34-35
nodeName types.NodeName +34-35
nodeUID types.UID +34-35
maxExpirationSeconds? *int32 +34-35
pkixPublicKey []uint8 +34-35
proofOfPossession []uint8 +34-35
#PodCertificateRequestStatus
conditions? []meta/v1.Condition by=type +34-35
certificateChain? string +34-35
notBefore? *meta/v1.Time +34-35
beginRefreshAt? *meta/v1.Time +34-35
notAfter? *meta/v1.Time +34-35
@certificates/v1beta1
#CertificateSigningRequest
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .CertificateSigningRequestSpec
status? .CertificateSigningRequestStatus
#CertificateSigningRequestCondition
type .RequestConditionType def=""
status core/v1.ConditionStatus
reason? string
message? string
lastUpdateTime? meta/v1.Time
lastTransitionTime? meta/v1.Time
#CertificateSigningRequestList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].CertificateSigningRequest
#CertificateSigningRequestSpec
request []uint8
signerName? *string
expirationSeconds? *int32
usages? [].KeyUsage
username? string
uid? string
groups? []string
extra? map[string].ExtraValue
#CertificateSigningRequestStatus
conditions? [].CertificateSigningRequestCondition by=type
certificate? []uint8
#ClusterTrustBundle
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ObjectMeta +33
spec .ClusterTrustBundleSpec +33
#ClusterTrustBundleList
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ListMeta +33
items [].ClusterTrustBundle +33
#ClusterTrustBundleSpec
signerName? string +33
trustBundle string +33
:ExtraValue []string
:KeyUsage string
#PodCertificateRequest
=TypeMeta meta/v1.TypeMeta +35
metadata? meta/v1.ObjectMeta +35
spec .PodCertificateRequestSpec +35
status? .PodCertificateRequestStatus +35
#PodCertificateRequestList
=TypeMeta meta/v1.TypeMeta +35
metadata? meta/v1.ListMeta +35
items [].PodCertificateRequest +35
#PodCertificateRequestSpec
signerName string +35
podName string +35
podUID types.UID +35
serviceAccountName string +35
serviceAccountUID types.UID +35
nodeName types.NodeName +35
nodeUID types.UID +35
maxExpirationSeconds? *int32 +35
pkixPublicKey []uint8 +35
proofOfPossession []uint8 +35
stubPKCS10Request []uint8 +36
unverifiedUserAnnotations? map[string]string +35
#PodCertificateRequestStatus
conditions? []meta/v1.Condition by=type +35
certificateChain? string +35
notBefore? *meta/v1.Time +35
beginRefreshAt? *meta/v1.Time +35
notAfter? *meta/v1.Time +35
:RequestConditionType string
@coordination/v1
:CoordinatedLeaseStrategy string
#Lease
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .LeaseSpec
#LeaseList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Lease
#LeaseSpec
holderIdentity? *string
leaseDurationSeconds? *int32
acquireTime? *meta/v1.MicroTime
renewTime? *meta/v1.MicroTime
leaseTransitions? *int32
strategy? *.CoordinatedLeaseStrategy +31
preferredHolder? *string +31
@coordination/v1alpha1
#LeaseCandidate
=TypeMeta meta/v1.TypeMeta +31-32
metadata? meta/v1.ObjectMeta +31-32
spec? .LeaseCandidateSpec +31-32
#LeaseCandidateList
=TypeMeta meta/v1.TypeMeta +31-32
metadata? meta/v1.ListMeta +31-32
items [].LeaseCandidate +31-32
#LeaseCandidateSpec
leaseName string +31-32
pingTime? *meta/v1.MicroTime +31-32
renewTime? *meta/v1.MicroTime +31-32
binaryVersion? string +31-32
emulationVersion? string +31-32
preferredStrategies? []coordination/v1.CoordinatedLeaseStrategy +31-32
@coordination/v1alpha2
#LeaseCandidate
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ObjectMeta +32
spec? .LeaseCandidateSpec +32
#LeaseCandidateList
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ListMeta +32
items [].LeaseCandidate +32
#LeaseCandidateSpec
leaseName string +32
pingTime? *meta/v1.MicroTime +32
renewTime? *meta/v1.MicroTime +32
binaryVersion string +32
emulationVersion? string +32
strategy? coordination/v1.CoordinatedLeaseStrategy +32
@coordination/v1beta1
#Lease
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .LeaseSpec
#LeaseCandidate
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ObjectMeta +33
spec? .LeaseCandidateSpec +33
#LeaseCandidateList
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ListMeta +33
items [].LeaseCandidate +33
#LeaseCandidateSpec
leaseName string +33
pingTime? *meta/v1.MicroTime +33
renewTime? *meta/v1.MicroTime +33
binaryVersion string +33
emulationVersion? string +33
strategy? coordination/v1.CoordinatedLeaseStrategy +33
#LeaseList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Lease
#LeaseSpec
holderIdentity? *string
leaseDurationSeconds? *int32
acquireTime? *meta/v1.MicroTime
renewTime? *meta/v1.MicroTime
leaseTransitions? *int32
strategy? *coordination/v1.CoordinatedLeaseStrategy +31
preferredHolder? *string +31
@core/v1
#AWSElasticBlockStoreVolumeSource
volumeID string
fsType? string
partition? int32
readOnly? bool
#Affinity
nodeAffinity? *.NodeAffinity
podAffinity? *.PodAffinity
podAntiAffinity? *.PodAntiAffinity
#AppArmorProfile
type .AppArmorProfileType
localhostProfile? *string
:AppArmorProfileType string
#AttachedVolume
name .UniqueVolumeName
devicePath string
:AzureDataDiskCachingMode string
:AzureDataDiskKind string
#AzureDiskVolumeSource
diskName string
diskURI string
cachingMode? *.AzureDataDiskCachingMode
fsType? *string
readOnly? *bool
kind? *.AzureDataDiskKind
#AzureFilePersistentVolumeSource
secretName string
shareName string
readOnly? bool
secretNamespace *string
#AzureFileVolumeSource
secretName string
shareName string
readOnly? bool
#Binding
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
target .ObjectReference
#CSIPersistentVolumeSource
driver string
volumeHandle string
readOnly? bool
fsType? string
volumeAttributes? map[string]string
controllerPublishSecretRef? *.SecretReference
nodeStageSecretRef? *.SecretReference
nodePublishSecretRef? *.SecretReference
controllerExpandSecretRef? *.SecretReference
nodeExpandSecretRef? *.SecretReference
#CSIVolumeSource
driver string
readOnly? *bool
fsType? *string
volumeAttributes? map[string]string
nodePublishSecretRef? *.LocalObjectReference
#Capabilities
add? [].Capability
drop? [].Capability
:Capability string
#CephFSPersistentVolumeSource
monitors []string
path? string
user? string
secretFile? string
secretRef? *.SecretReference
readOnly? bool
#CephFSVolumeSource
monitors []string
path? string
user? string
secretFile? string
secretRef? *.LocalObjectReference
readOnly? bool
#CinderPersistentVolumeSource
volumeID string
fsType? string
readOnly? bool
secretRef? *.SecretReference
#CinderVolumeSource
volumeID string
fsType? string
readOnly? bool
secretRef? *.LocalObjectReference
:ClaimResourceStatus string
#ClaimSource
resourceClaimName? *string -31
resourceClaimTemplateName? *string -31
#ClientIPConfig
timeoutSeconds? *int32
#ClusterTrustBundleProjection
name? *string
signerName? *string
labelSelector? *meta/v1.LabelSelector
optional? *bool
path string
user? *int64 +37
#ComponentCondition
type .ComponentConditionType def=""
status .ConditionStatus
message? string
error? string
:ComponentConditionType string
#ComponentStatus
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
conditions? [].ComponentCondition by=type
#ComponentStatusList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ComponentStatus
:ConditionStatus string
#ConfigMap
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
immutable? *bool
data? map[string]string
binaryData? map[string][]uint8
#ConfigMapEnvSource
=LocalObjectReference .LocalObjectReference
optional? *bool
#ConfigMapKeySelector
atomic
=LocalObjectReference .LocalObjectReference
key string
optional? *bool
#ConfigMapList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ConfigMap
#ConfigMapNodeConfigSource
namespace string
name string
uid? types.UID
resourceVersion? string
kubeletConfigKey string
#ConfigMapProjection
=LocalObjectReference .LocalObjectReference
items? [].KeyToPath
optional? *bool
#ConfigMapVolumeSource
=LocalObjectReference .LocalObjectReference
items? [].KeyToPath
defaultMode? *int32
optional? *bool
defaultUser? *int64 +37
#Container
name string def=""
image? string
command? []string
args? []string
workingDir? string
ports? [].ContainerPort by=containerPort,protocol
envFrom? [].EnvFromSource
env? [].EnvVar by=name
resources? .ResourceRequirements
resizePolicy? [].ContainerResizePolicy
restartPolicy? *.ContainerRestartPolicy
restartPolicyRules? [].ContainerRestartRule +34
volumeMounts? [].VolumeMount by=mountPath
volumeDevices? [].VolumeDevice by=devicePath
livenessProbe? *.Probe
readinessProbe? *.Probe
startupProbe? *.Probe
lifecycle? *.Lifecycle
terminationMessagePath? string
terminationMessagePolicy? .TerminationMessagePolicy
imagePullPolicy? .PullPolicy
securityContext? *.SecurityContext
stdin? bool
stdinOnce? bool
tty? bool
#ContainerExtendedResourceRequest
containerName string +34
resourceName string +34
requestName string +34
#ContainerImage
names []string
sizeBytes? int64
#ContainerPort
name? string
hostPort? int32
containerPort int32 def=0
protocol? .Protocol def="TCP"
hostIP? string
#ContainerResizePolicy
resourceName .ResourceName
restartPolicy .ResourceResizeRestartPolicy
:ContainerRestartPolicy string
#ContainerRestartRule
action? .ContainerRestartRuleAction +34
exitCodes? *.ContainerRestartRuleOnExitCodes +34
:ContainerRestartRuleAction string
#ContainerRestartRuleOnExitCodes
operator? .ContainerRestartRuleOnExitCodesOperator +34
values? []int32 set +34
:ContainerRestartRuleOnExitCodesOperator string
#ContainerState
waiting? *.ContainerStateWaiting
running? *.ContainerStateRunning
terminated? *.ContainerStateTerminated
#ContainerStateRunning
startedAt? meta/v1.Time
#ContainerStateTerminated
exitCode int32
signal? int32
reason? string
message? string
startedAt? meta/v1.Time
finishedAt? meta/v1.Time
containerID? string
#ContainerStateWaiting
reason? string
message? string
#ContainerStatus
name string
state? .ContainerState
lastState? .ContainerState
ready bool
restartCount int32
image string
imageID string
containerID? string
started? *bool
allocatedResources? .ResourceList
resources? *.ResourceRequirements
volumeMounts? [].VolumeMountStatus by=mountPath
user? *.ContainerUser +31
allocatedResourcesStatus? [].ResourceStatus by=name +31
stopSignal? *.Signal +33
#ContainerUser
linux? *.LinuxContainerUser +31
:DNSPolicy string
#DaemonEndpoint
Port int32
#DownwardAPIProjection
items? [].DownwardAPIVolumeFile
#DownwardAPIVolumeFile
path string
fieldRef? *.ObjectFieldSelector
resourceFieldRef? *.ResourceFieldSelector
mode? *int32
user? *int64 +37
#DownwardAPIVolumeSource
items? [].DownwardAPIVolumeFile
defaultMode? *int32
defaultUser? *int64 +37
#EmptyDirVolumeSource
medium? .StorageMedium
sizeLimit? *resource.Quantity
mode? *int32 +37
#EndpointAddress
atomic
ip string
hostname? string
nodeName? *string
targetRef? *.ObjectReference
#EndpointPort
atomic
name? string
port int32
protocol? .Protocol
appProtocol? *string
#EndpointSubset
addresses? [].EndpointAddress
notReadyAddresses? [].EndpointAddress
ports? [].EndpointPort
#Endpoints
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
subsets? [].EndpointSubset
#EndpointsList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Endpoints
#EnvFromSource
prefix? string
configMapRef? *.ConfigMapEnvSource
secretRef? *.SecretEnvSource
#EnvVar
name string def=""
value? string
valueFrom? *.EnvVarSource
#EnvVarSource
fieldRef? *.ObjectFieldSelector
resourceFieldRef? *.ResourceFieldSelector
configMapKeyRef? *.ConfigMapKeySelector
secretKeyRef? *.SecretKeySelector
fileKeyRef? *.FileKeySelector +34
#EphemeralContainer
=EphemeralContainerCommon .EphemeralContainerCommon
targetContainerName? string
#EphemeralContainerCommon
name string
image? string
command? []string
args? []string
workingDir? string
ports? [].ContainerPort
envFrom? [].EnvFromSource
env? [].EnvVar
resources? .ResourceRequirements
resizePolicy? [].ContainerResizePolicy
restartPolicy? *.ContainerRestartPolicy
restartPolicyRules? [].ContainerRestartRule +34
volumeMounts? [].VolumeMount
volumeDevices? [].VolumeDevice
livenessProbe? *.Probe
readinessProbe? *.Probe
startupProbe? *.Probe
lifecycle? *.Lifecycle
terminationMessagePath? string
terminationMessagePolicy? .TerminationMessagePolicy
imagePullPolicy? .PullPolicy
securityContext? *.SecurityContext
stdin? bool
stdinOnce? bool
tty? bool
#EphemeralVolumeSource
volumeClaimTemplate? *.PersistentVolumeClaimTemplate
#Event
=TypeMeta meta/v1.TypeMeta
metadata meta/v1.ObjectMeta
involvedObject .ObjectReference
reason? string
message? string
source? .EventSource
firstTimestamp? meta/v1.Time
lastTimestamp? meta/v1.Time
count? int32
type? string
eventTime? meta/v1.MicroTime
series? *.EventSeries
action? string
related? *.ObjectReference
reportingComponent string
reportingInstance string
#EventList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Event
#EventSeries
atomic +38
count? int32
lastObservedTime? meta/v1.MicroTime
#EventSource
component? string
host? string
#EvictionResponder
atomic +37
name string def="" +37
priority *int32 +37
#ExecAction
command? []string
#FCVolumeSource
targetWWNs? []string
lun? *int32
fsType? string
readOnly? bool
wwids? []string
#FileKeySelector
atomic +34
volumeName string +34
path string +34
key string +34
optional? *bool +34
:FinalizerName string
#FlexPersistentVolumeSource
driver string
fsType? string
secretRef? *.SecretReference
readOnly? bool
options? map[string]string
#FlexVolumeSource
driver string
fsType? string
secretRef? *.LocalObjectReference
readOnly? bool
options? map[string]string
#FlockerVolumeSource
datasetName? string
datasetUUID? string
#GCEPersistentDiskVolumeSource
pdName string
fsType? string
partition? int32
readOnly? bool
#GRPCAction
port int32
service *string
mode? *.GRPCProbeMode +37
:GRPCProbeMode string
#GitRepoVolumeSource
repository string
revision? string
directory? string
#GlusterfsPersistentVolumeSource
endpoints string
path string
readOnly? bool
endpointsNamespace? *string
#GlusterfsVolumeSource
endpoints string
path string
readOnly? bool
#HTTPGetAction
path? string
port intstr.IntOrString
host? string
scheme? .URIScheme
httpHeaders? [].HTTPHeader
protocol? *.HTTPProtocol +37
#HTTPHeader
name string
value string
:HTTPProtocol string
#HostAlias
ip string def=""
hostnames? []string
#HostIP
ip string
:HostPathType string
#HostPathVolumeSource
path string
type? *.HostPathType
:IPFamily string
:IPFamilyPolicy string
#ISCSIPersistentVolumeSource
targetPortal string
iqn string
lun int32
iscsiInterface? string
fsType? string
readOnly? bool
portals? []string
chapAuthDiscovery? bool
chapAuthSession? bool
secretRef? *.SecretReference
initiatorName? *string
#ISCSIVolumeSource
targetPortal string
iqn string
lun int32
iscsiInterface? string
fsType? string
readOnly? bool
portals? []string
chapAuthDiscovery? bool
chapAuthSession? bool
secretRef? *.LocalObjectReference
initiatorName? *string
#ImageVolumeSource
reference? string +31
pullPolicy? .PullPolicy +31
#ImageVolumeStatus
imageRef? string +36
#KeyToPath
key string
path string
mode? *int32
user? *int64 +37
#Lifecycle
postStart? *.LifecycleHandler
preStop? *.LifecycleHandler
stopSignal? *.Signal +33
#LifecycleHandler
exec? *.ExecAction
httpGet? *.HTTPGetAction
tcpSocket? *.TCPSocketAction
sleep? *.SleepAction
#LimitRange
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .LimitRangeSpec
#LimitRangeItem
type .LimitType
max? .ResourceList
min? .ResourceList
default? .ResourceList
defaultRequest? .ResourceList
maxLimitRequestRatio? .ResourceList
#LimitRangeList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].LimitRange
#LimitRangeSpec
limits [].LimitRangeItem
:LimitType string
#LinuxContainerUser
uid int64 +31
gid int64 +31
supplementalGroups? []int64 +31
#List
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items []runtime.RawExtension
:LoadBalancerIPMode string
#LoadBalancerIngress
ip? string
hostname? string
ipMode? *.LoadBalancerIPMode
ports? [].PortStatus
#LoadBalancerStatus
ingress? [].LoadBalancerIngress
#LocalObjectReference
atomic
name? string def=""
#LocalVolumeSource
path string
fsType? *string
#ModifyVolumeStatus
targetVolumeAttributesClassName? string
status .PersistentVolumeClaimModifyVolumeStatus
:MountPropagationMode string
#NFSVolumeSource
server string
path string
readOnly? bool
#Namespace
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .NamespaceSpec
status? .NamespaceStatus
#NamespaceCondition
type .NamespaceConditionType def=""
status .ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:NamespaceConditionType string
#NamespaceList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Namespace
:NamespacePhase string
#NamespaceSpec
finalizers? [].FinalizerName
#NamespaceStatus
phase? .NamespacePhase
conditions? [].NamespaceCondition by=type
#Node
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .NodeSpec
status? .NodeStatus
#NodeAddress
type .NodeAddressType def=""
address string
:NodeAddressType string
#NodeAffinity
requiredDuringSchedulingIgnoredDuringExecution? *.NodeSelector
preferredDuringSchedulingIgnoredDuringExecution? [].PreferredSchedulingTerm
#NodeAllocatableMappedResources
name .ResourceName def="" +37
quantity *resource.Quantity +37
#NodeAllocatableOverheadResources
name .ResourceName def="" +37
perPod? *resource.Quantity +37
perContainer? *resource.Quantity +37
#NodeAllocatableResourceClaimStatus
resourceClaimName string +36-37
resourceClaimName string def="" +37
containers? []string set +36
resources map[.ResourceName]resource.Quantity +36-37
mapping? [].NodeAllocatableMappedResources by=name +37
overhead? [].NodeAllocatableOverheadResources by=name +37
#NodeCondition
type .NodeConditionType def=""
status .ConditionStatus
lastHeartbeatTime? meta/v1.Time
lastTransitionTime? meta/v1.Time
reason? string
message? string
:NodeConditionType string
#NodeConfigSource
configMap? *.ConfigMapNodeConfigSource
#NodeConfigStatus
assigned? *.NodeConfigSource
active? *.NodeConfigSource
lastKnownGood? *.NodeConfigSource
error? string
#NodeDaemonEndpoints
kubeletEndpoint? .DaemonEndpoint
#NodeFeatures
supplementalGroupsPolicy? *bool +31
:NodeInclusionPolicy string
#NodeList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Node
:NodePhase string
#NodePodPreemptionPolicy
disableResizePreemption? []string set +37
#NodeProxyOptions
=TypeMeta meta/v1.TypeMeta
path? string
#NodeRuntimeHandler
name string
features? *.NodeRuntimeHandlerFeatures
#NodeRuntimeHandlerFeatures
recursiveReadOnlyMounts? *bool
userNamespaces? *bool +31
#NodeSelector
atomic
nodeSelectorTerms [].NodeSelectorTerm
:NodeSelectorOperator string
#NodeSelectorRequirement
key string
operator .NodeSelectorOperator
values? []string
#NodeSelectorTerm
atomic
matchExpressions? [].NodeSelectorRequirement
matchFields? [].NodeSelectorRequirement
#NodeSpec
podCIDR? string
podCIDRs? []string set
providerID? string
unschedulable? bool
taints? [].Taint
configSource? *.NodeConfigSource
externalID? string
podPreemptionPolicy? *.NodePodPreemptionPolicy +37
#NodeStatus
capacity? .ResourceList
allocatable? .ResourceList
phase? .NodePhase
conditions? [].NodeCondition by=type
addresses? [].NodeAddress by=type
daemonEndpoints? .NodeDaemonEndpoints
nodeInfo? .NodeSystemInfo
images? [].ContainerImage
volumesInUse? [].UniqueVolumeName
volumesAttached? [].AttachedVolume
config? *.NodeConfigStatus
runtimeHandlers? [].NodeRuntimeHandler
features? *.NodeFeatures +31
declaredFeatures? []string +35
#NodeSwapStatus
capacity? *int64 +33
#NodeSystemInfo
machineID string
systemUUID string
bootID string
kernelVersion string
osImage string
containerRuntimeVersion string
kubeletVersion string
kubeProxyVersion string
operatingSystem string
architecture string
swap? *.NodeSwapStatus +33
runningInUserNamespace? *bool +37
:OSName string
#ObjectFieldSelector
atomic
apiVersion? string
fieldPath string
#ObjectReference
atomic
kind? string
namespace? string
name? string
uid? types.UID
apiVersion? string
resourceVersion? string
fieldPath? string
#PersistentVolume
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .PersistentVolumeSpec
status? .PersistentVolumeStatus
:PersistentVolumeAccessMode string
#PersistentVolumeClaim
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .PersistentVolumeClaimSpec
status? .PersistentVolumeClaimStatus
#PersistentVolumeClaimCondition
type .PersistentVolumeClaimConditionType def=""
status .ConditionStatus
lastProbeTime? meta/v1.Time
lastTransitionTime? meta/v1.Time
reason? string
message? string
:PersistentVolumeClaimConditionType string
#PersistentVolumeClaimList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].PersistentVolumeClaim
:PersistentVolumeClaimModifyVolumeStatus string
:PersistentVolumeClaimPhase string
#PersistentVolumeClaimSpec
accessModes? [].PersistentVolumeAccessMode
selector? *meta/v1.LabelSelector
resources? .VolumeResourceRequirements
volumeName? string
storageClassName? *string
volumeMode? *.PersistentVolumeMode
dataSource? *.TypedLocalObjectReference
dataSourceRef? *.TypedObjectReference
volumeAttributesClassName? *string
#PersistentVolumeClaimStatus
phase? .PersistentVolumeClaimPhase
accessModes? [].PersistentVolumeAccessMode
capacity? .ResourceList
conditions? [].PersistentVolumeClaimCondition by=type
allocatedResources? .ResourceList
allocatedResourceStatuses? map[.ResourceName].ClaimResourceStatus
currentVolumeAttributesClassName? *string
modifyVolumeStatus? *.ModifyVolumeStatus
healthStatus? *.VolumeHealthStatus +37
#PersistentVolumeClaimTemplate
metadata? meta/v1.ObjectMeta
spec .PersistentVolumeClaimSpec
#PersistentVolumeClaimVolumeSource
claimName string
readOnly? bool
#PersistentVolumeList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].PersistentVolume
:PersistentVolumeMode string
:PersistentVolumePhase string
:PersistentVolumeReclaimPolicy string
#PersistentVolumeSource
gcePersistentDisk? *.GCEPersistentDiskVolumeSource
awsElasticBlockStore? *.AWSElasticBlockStoreVolumeSource
hostPath? *.HostPathVolumeSource
glusterfs? *.GlusterfsPersistentVolumeSource
nfs? *.NFSVolumeSource
rbd? *.RBDPersistentVolumeSource
iscsi? *.ISCSIPersistentVolumeSource
cinder? *.CinderPersistentVolumeSource
cephfs? *.CephFSPersistentVolumeSource
fc? *.FCVolumeSource
flocker? *.FlockerVolumeSource
flexVolume? *.FlexPersistentVolumeSource
azureFile? *.AzureFilePersistentVolumeSource
vsphereVolume? *.VsphereVirtualDiskVolumeSource
quobyte? *.QuobyteVolumeSource
azureDisk? *.AzureDiskVolumeSource
photonPersistentDisk? *.PhotonPersistentDiskVolumeSource
portworxVolume? *.PortworxVolumeSource
scaleIO? *.ScaleIOPersistentVolumeSource
local? *.LocalVolumeSource
storageos? *.StorageOSPersistentVolumeSource
csi? *.CSIPersistentVolumeSource
#PersistentVolumeSpec
capacity? .ResourceList
=PersistentVolumeSource .PersistentVolumeSource
accessModes? [].PersistentVolumeAccessMode
claimRef? *.ObjectReference granular
persistentVolumeReclaimPolicy? .PersistentVolumeReclaimPolicy
storageClassName? string
mountOptions? []string
volumeMode? *.PersistentVolumeMode
nodeAffinity? *.VolumeNodeAffinity
volumeAttributesClassName? *string
#PersistentVolumeStatus
phase? .PersistentVolumePhase
message? string
reason? string
lastPhaseTransitionTime? *meta/v1.Time
#PhotonPersistentDiskVolumeSource
pdID string
fsType? string
#Pod
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .PodSpec
status? .PodStatus
#PodAffinity
requiredDuringSchedulingIgnoredDuringExecution? [].PodAffinityTerm
preferredDuringSchedulingIgnoredDuringExecution? [].WeightedPodAffinityTerm
#PodAffinityTerm
labelSelector? *meta/v1.LabelSelector
namespaces? []string
topologyKey string
namespaceSelector? *meta/v1.LabelSelector
matchLabelKeys? []string
mismatchLabelKeys? []string
#PodAntiAffinity
requiredDuringSchedulingIgnoredDuringExecution? [].PodAffinityTerm
preferredDuringSchedulingIgnoredDuringExecution? [].WeightedPodAffinityTerm
#PodAttachOptions
=TypeMeta meta/v1.TypeMeta
stdin? bool
stdout? bool
stderr? bool
tty? bool
container? string
#PodCertificateProjection
signerName? string +34
keyType? string +34
maxExpirationSeconds? *int32 +34
credentialBundlePath? string +34
keyPath? string +34
certificateChainPath? string +34
userAnnotations? map[string]string +35
user? *int64 +37
#PodCondition
type .PodConditionType def=""
observedGeneration? int64 +33
status .ConditionStatus
lastProbeTime? meta/v1.Time
lastTransitionTime? meta/v1.Time
reason? string
message? string
:PodConditionType string
#PodDNSConfig
nameservers? []string
searches? []string
options? [].PodDNSConfigOption
#PodDNSConfigOption
name? string
value? *string
#PodExecOptions
=TypeMeta meta/v1.TypeMeta
stdin? bool
stdout? bool
stderr? bool
tty? bool
container? string
command []string
#PodExtendedResourceClaimStatus
requestMappings [].ContainerExtendedResourceRequest +34
resourceClaimName string +34
:PodFSGroupChangePolicy string
#PodIP
ip string def=""
#PodList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Pod
#PodLogOptions
=TypeMeta meta/v1.TypeMeta
container? string
follow? bool
previous? bool
sinceSeconds? *int64
sinceTime? *meta/v1.Time
timestamps? bool
tailLines? *int64
limitBytes? *int64
insecureSkipTLSVerifyBackend? bool
stream? *string +32
#PodOS
name .OSName
:PodPhase string
#PodPortForwardOptions
=TypeMeta meta/v1.TypeMeta
ports? []int32
#PodProxyOptions
=TypeMeta meta/v1.TypeMeta
path? string
:PodQOSClass string
#PodReadinessGate
conditionType .PodConditionType
:PodResizeStatus string
#PodResourceClaim
name string def=""
source? .ClaimSource -31
resourceClaimName? *string +31
resourceClaimTemplateName? *string +31
#PodResourceClaimStatus
name string def=""
resourceClaimName? *string
:PodSELinuxChangePolicy string
#PodSchedulingGate
name string def=""
#PodSchedulingGroup
podGroupName? *string +36
#PodSecurityContext
seLinuxOptions? *.SELinuxOptions
windowsOptions? *.WindowsSecurityContextOptions
runAsUser? *int64
runAsGroup? *int64
runAsNonRoot? *bool
supplementalGroups? []int64
supplementalGroupsPolicy? *.SupplementalGroupsPolicy +31
fsGroup? *int64
sysctls? [].Sysctl
fsGroupChangePolicy? *.PodFSGroupChangePolicy
seccompProfile? *.SeccompProfile
appArmorProfile? *.AppArmorProfile
seLinuxChangePolicy? *.PodSELinuxChangePolicy +32
#PodSpec
volumes? [].Volume by=name
initContainers? [].Container by=name
containers [].Container by=name
ephemeralContainers? [].EphemeralContainer by=name
restartPolicy? .RestartPolicy
terminationGracePeriodSeconds? *int64
activeDeadlineSeconds? *int64
dnsPolicy? .DNSPolicy
nodeSelector? map[string]string atomic
serviceAccountName? string
serviceAccount? string
automountServiceAccountToken? *bool
nodeName? string
hostNetwork? bool
hostPID? bool
hostIPC? bool
shareProcessNamespace? *bool
securityContext? *.PodSecurityContext
imagePullSecrets? [].LocalObjectReference by=name
hostname? string
subdomain? string
affinity? *.Affinity
schedulerName? string
tolerations? [].Toleration
hostAliases? [].HostAlias by=ip
priorityClassName? string
priority? *int32
dnsConfig? *.PodDNSConfig
readinessGates? [].PodReadinessGate
runtimeClassName? *string
enableServiceLinks? *bool
preemptionPolicy? *.PreemptionPolicy
overhead? .ResourceList
topologySpreadConstraints? [].TopologySpreadConstraint by=topologyKey,whenUnsatisfiable
setHostnameAsFQDN? *bool
os? *.PodOS
hostUsers? *bool
schedulingGates? [].PodSchedulingGate by=name
resourceClaims? [].PodResourceClaim by=name
resources? *.ResourceRequirements +32
hostnameOverride? *string +34
workloadRef? *.WorkloadReference +35-36
schedulingGroup? *.PodSchedulingGroup +36
evictionResponders? [].EvictionResponder by=name +37
#PodStatus
observedGeneration? int64 +33
phase? .PodPhase
conditions? [].PodCondition by=type
message? string
reason? string
nominatedNodeName? string
hostIP? string
hostIPs? [].HostIP
podIP? string
podIPs? [].PodIP by=ip
startTime? *meta/v1.Time
initContainerStatuses? [].ContainerStatus
containerStatuses? [].ContainerStatus
qosClass? .PodQOSClass
ephemeralContainerStatuses? [].ContainerStatus
resize? .PodResizeStatus
resourceClaimStatuses? [].PodResourceClaimStatus by=name
extendedResourceClaimStatus? *.PodExtendedResourceClaimStatus +34
allocatedResources? .ResourceList +35
resources? *.ResourceRequirements +35
nodeAllocatableResourceClaimStatuses? [].NodeAllocatableResourceClaimStatus +36-37
nodeAllocatableResourceClaimStatuses? [].NodeAllocatableResourceClaimStatus by=resourceClaimName +37
volumeHealth? [].PodVolumeHealth by=name +37
#PodStatusResult
=TypeMeta meta/v1.TypeMeta -37
metadata? meta/v1.ObjectMeta -37
status? .PodStatus -37
#PodTemplate
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
template? .PodTemplateSpec
#PodTemplateList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].PodTemplate
#PodTemplateSpec
metadata? meta/v1.ObjectMeta
spec? .PodSpec
#PodVolumeHealth
name string def="" +37
healthConditions? [].VolumeHealthCondition by=status,reason +37
lastTransitionTime? meta/v1.Time +37
#PortStatus
port int32
protocol .Protocol
error? *string
#PortworxVolumeSource
volumeID string
fsType? string
readOnly? bool
:PreemptionPolicy string
#PreferredSchedulingTerm
weight int32
preference .NodeSelectorTerm
#Probe
=ProbeHandler .ProbeHandler
initialDelaySeconds? int32
timeoutSeconds? int32
periodSeconds? int32
successThreshold? int32
failureThreshold? int32
terminationGracePeriodSeconds? *int64
#ProbeHandler
exec? *.ExecAction
httpGet? *.HTTPGetAction
tcpSocket? *.TCPSocketAction
grpc? *.GRPCAction
:ProcMountType string
#ProjectedVolumeSource
sources [].VolumeProjection
defaultMode? *int32
defaultUser? *int64 +37
:Protocol string
:PullPolicy string
#QuobyteVolumeSource
registry string
volume string
readOnly? bool
user? string
group? string
tenant? string
#RBDPersistentVolumeSource
monitors []string
image string
fsType? string
pool? string
user? string
keyring? string
secretRef? *.SecretReference
readOnly? bool
#RBDVolumeSource
monitors []string
image string
fsType? string
pool? string
user? string
keyring? string
secretRef? *.LocalObjectReference
readOnly? bool
#RangeAllocation
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
range string
data []uint8
:RecursiveReadOnlyMode string
#ReplicationController
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ReplicationControllerSpec
status? .ReplicationControllerStatus
#ReplicationControllerCondition
type .ReplicationControllerConditionType def=""
status .ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:ReplicationControllerConditionType string
#ReplicationControllerList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ReplicationController
#ReplicationControllerSpec
replicas? *int32
minReadySeconds? int32
selector? map[string]string atomic
template? *.PodTemplateSpec
#ReplicationControllerStatus
replicas int32
fullyLabeledReplicas? int32
readyReplicas? int32
availableReplicas? int32
observedGeneration? int64
conditions? [].ReplicationControllerCondition by=type
#ResourceClaim
name string def=""
request? string +31
#ResourceFieldSelector
atomic
containerName? string
resource string
divisor? resource.Quantity
#ResourceHealth
resourceID .ResourceID def="" +31
health? .ResourceHealthStatus +31
message? *string +36
:ResourceHealthStatus string
:ResourceID string
:ResourceList map[.ResourceName]resource.Quantity
:ResourceName string
#ResourceQuota
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ResourceQuotaSpec
status? .ResourceQuotaStatus
#ResourceQuotaList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ResourceQuota
:ResourceQuotaScope string
#ResourceQuotaSpec
hard? .ResourceList
scopes? [].ResourceQuotaScope
scopeSelector? *.ScopeSelector
#ResourceQuotaStatus
hard? .ResourceList
used? .ResourceList
#ResourceRequirements
limits? .ResourceList
requests? .ResourceList
claims? [].ResourceClaim by=name
:ResourceResizeRestartPolicy string
#ResourceStatus
name .ResourceName def="" +31
resources? [].ResourceHealth by=resourceID +31
:RestartPolicy string
#SELinuxOptions
user? string
role? string
type? string
level? string
#ScaleIOPersistentVolumeSource
gateway string
system string
secretRef *.SecretReference
sslEnabled? bool
protectionDomain? string
storagePool? string
storageMode? string
volumeName? string
fsType? string
readOnly? bool
#ScaleIOVolumeSource
gateway string
system string
secretRef *.LocalObjectReference
sslEnabled? bool
protectionDomain? string
storagePool? string
storageMode? string
volumeName? string
fsType? string
readOnly? bool
#ScopeSelector
atomic
matchExpressions? [].ScopedResourceSelectorRequirement
:ScopeSelectorOperator string
#ScopedResourceSelectorRequirement
scopeName .ResourceQuotaScope
operator .ScopeSelectorOperator
values? []string
#SeccompProfile
type .SeccompProfileType
localhostProfile? *string
oci? *.SecurityProfileOCI +38
:SeccompProfileType string
#Secret
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
immutable? *bool
data? map[string][]uint8
stringData? map[string]string
type? .SecretType
#SecretEnvSource
=LocalObjectReference .LocalObjectReference
optional? *bool
#SecretKeySelector
atomic
=LocalObjectReference .LocalObjectReference
key string
optional? *bool
#SecretList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Secret
#SecretProjection
=LocalObjectReference .LocalObjectReference
items? [].KeyToPath
optional? *bool
#SecretReference
atomic
name? string
namespace? string
:SecretType string
#SecretVolumeSource
secretName? string
items? [].KeyToPath
defaultMode? *int32
optional? *bool
defaultUser? *int64 +37
#SecurityContext
capabilities? *.Capabilities
privileged? *bool
seLinuxOptions? *.SELinuxOptions
windowsOptions? *.WindowsSecurityContextOptions
runAsUser? *int64
runAsGroup? *int64
runAsNonRoot? *bool
readOnlyRootFilesystem? *bool
allowPrivilegeEscalation? *bool
procMount? *.ProcMountType
seccompProfile? *.SeccompProfile
appArmorProfile? *.AppArmorProfile
#SecurityProfileOCI
ref string +38
baseProfile? *.SecurityProfileOCIBase +38
#SecurityProfileOCIBase
type .SecurityProfileOCIBaseType +38
localhostProfile? *string +38
:SecurityProfileOCIBaseType string
#SerializedReference
=TypeMeta meta/v1.TypeMeta
reference? .ObjectReference
#Service
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ServiceSpec
status? .ServiceStatus
#ServiceAccount
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
secrets? [].ObjectReference by=name
imagePullSecrets? [].LocalObjectReference
automountServiceAccountToken? *bool
#ServiceAccountList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ServiceAccount
#ServiceAccountTokenProjection
audience? string
expirationSeconds? *int64
path string
user? *int64 +37
:ServiceAffinity string
:ServiceExternalTrafficPolicy string
:ServiceInternalTrafficPolicy string
#ServiceList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Service
#ServicePort
name? string
protocol? .Protocol def="TCP"
appProtocol? *string
port int32 def=0
targetPort? intstr.IntOrString
nodePort? int32
#ServiceProxyOptions
=TypeMeta meta/v1.TypeMeta
path? string
#ServiceSpec
ports? [].ServicePort by=port,protocol
selector? map[string]string atomic
clusterIP? string
clusterIPs? []string
type? .ServiceType
externalIPs? []string
sessionAffinity? .ServiceAffinity
loadBalancerIP? string
loadBalancerSourceRanges? []string
externalName? string
externalTrafficPolicy? .ServiceExternalTrafficPolicy
healthCheckNodePort? int32
publishNotReadyAddresses? bool
sessionAffinityConfig? *.SessionAffinityConfig
ipFamilies? [].IPFamily
ipFamilyPolicy? *.IPFamilyPolicy
allocateLoadBalancerNodePorts? *bool
loadBalancerClass? *string
internalTrafficPolicy? *.ServiceInternalTrafficPolicy
trafficDistribution? *string
#ServiceStatus
loadBalancer? .LoadBalancerStatus
conditions? []meta/v1.Condition by=type
:ServiceType string
#SessionAffinityConfig
clientIP? *.ClientIPConfig
:Signal string
#SleepAction
seconds int64
:StorageMedium string
#StorageOSPersistentVolumeSource
volumeName? string
volumeNamespace? string
fsType? string
readOnly? bool
secretRef? *.ObjectReference
#StorageOSVolumeSource
volumeName? string
volumeNamespace? string
fsType? string
readOnly? bool
secretRef? *.LocalObjectReference
:SupplementalGroupsPolicy string
#Sysctl
name string
value string
#TCPSocketAction
port intstr.IntOrString
host? string
#Taint
key string
value? string
effect .TaintEffect
timeAdded? *meta/v1.Time
:TaintEffect string
:TerminationMessagePolicy string
#Toleration
key? string
operator? .TolerationOperator
value? string
effect? .TaintEffect
tolerationSeconds? *int64
:TolerationOperator string
#TopologySelectorLabelRequirement
key string
values []string
#TopologySelectorTerm
atomic
matchLabelExpressions? [].TopologySelectorLabelRequirement
#TopologySpreadConstraint
maxSkew int32
topologyKey string def=""
whenUnsatisfiable .UnsatisfiableConstraintAction def=""
labelSelector? *meta/v1.LabelSelector
minDomains? *int32
nodeAffinityPolicy? *.NodeInclusionPolicy
nodeTaintsPolicy? *.NodeInclusionPolicy
matchLabelKeys? []string
#TypedLocalObjectReference
atomic
apiGroup *string
kind string
name string
#TypedObjectReference
apiGroup *string
kind string
name string
namespace? *string
:URIScheme string
:UniqueVolumeName string
:UnsatisfiableConstraintAction string
#Volume
name string def=""
=VolumeSource .VolumeSource
#VolumeDevice
name string
devicePath string def=""
#VolumeHealthCondition
status .VolumeHealthStatusType def="" +37
reason string def="" +37
message? string +37
#VolumeHealthStatus
healthConditions? [].VolumeHealthCondition by=status,reason +37
lastTransitionTime? meta/v1.Time +37
:VolumeHealthStatusType string
#VolumeMount
name string
readOnly? bool
recursiveReadOnly? *.RecursiveReadOnlyMode
mountPath string def=""
subPath? string
mountPropagation? *.MountPropagationMode
subPathExpr? string
bindMountOptions? []string set +37
#VolumeMountStatus
name string
mountPath string def=""
readOnly? bool
recursiveReadOnly? *.RecursiveReadOnlyMode
volumeStatus? *.VolumeStatus +36
#VolumeNodeAffinity
required? *.NodeSelector
#VolumeProjection
secret? *.SecretProjection
downwardAPI? *.DownwardAPIProjection
configMap? *.ConfigMapProjection
serviceAccountToken? *.ServiceAccountTokenProjection
clusterTrustBundle? *.ClusterTrustBundleProjection
podCertificate? *.PodCertificateProjection +34
#VolumeResourceRequirements
limits? .ResourceList
requests? .ResourceList
#VolumeSource
hostPath? *.HostPathVolumeSource
emptyDir? *.EmptyDirVolumeSource
gcePersistentDisk? *.GCEPersistentDiskVolumeSource
awsElasticBlockStore? *.AWSElasticBlockStoreVolumeSource
gitRepo? *.GitRepoVolumeSource
secret? *.SecretVolumeSource
nfs? *.NFSVolumeSource
iscsi? *.ISCSIVolumeSource
glusterfs? *.GlusterfsVolumeSource
persistentVolumeClaim? *.PersistentVolumeClaimVolumeSource
rbd? *.RBDVolumeSource
flexVolume? *.FlexVolumeSource
cinder? *.CinderVolumeSource
cephfs? *.CephFSVolumeSource
flocker? *.FlockerVolumeSource
downwardAPI? *.DownwardAPIVolumeSource
fc? *.FCVolumeSource
azureFile? *.AzureFileVolumeSource
configMap? *.ConfigMapVolumeSource
vsphereVolume? *.VsphereVirtualDiskVolumeSource
quobyte? *.QuobyteVolumeSource
azureDisk? *.AzureDiskVolumeSource
photonPersistentDisk? *.PhotonPersistentDiskVolumeSource
projected? *.ProjectedVolumeSource
portworxVolume? *.PortworxVolumeSource
scaleIO? *.ScaleIOVolumeSource
storageos? *.StorageOSVolumeSource
csi? *.CSIVolumeSource
ephemeral? *.EphemeralVolumeSource
image? *.ImageVolumeSource +31
#VolumeStatus
image? *.ImageVolumeStatus +36
#VsphereVirtualDiskVolumeSource
volumePath string
fsType? string
storagePolicyName? string
storagePolicyID? string
#WeightedPodAffinityTerm
weight int32
podAffinityTerm .PodAffinityTerm
#WindowsSecurityContextOptions
gmsaCredentialSpecName? *string
gmsaCredentialSpec? *string
runAsUserName? *string
hostProcess? *bool
#WorkloadReference
name string +35-36
podGroup string +35-36
podGroupReplicaKey? string +35-36
@discovery/v1
:AddressType string
#Endpoint
addresses []string set
conditions? .EndpointConditions
hostname? *string
targetRef? *core/v1.ObjectReference
deprecatedTopology? map[string]string
nodeName? *string
zone? *string
hints? *.EndpointHints
#EndpointConditions
ready? *bool
serving? *bool
terminating? *bool
#EndpointHints
forZones? [].ForZone
forNodes? [].ForNode +33
#EndpointPort
atomic
name? *string
protocol? *core/v1.Protocol
port? *int32
appProtocol? *string
#EndpointSlice
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
addressType .AddressType
endpoints [].Endpoint
ports [].EndpointPort
#EndpointSliceList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].EndpointSlice
#ForNode
name string +33
#ForZone
name string
@discovery/v1beta1
:AddressType string
#Endpoint
addresses []string set
conditions? .EndpointConditions
hostname? *string
targetRef? *core/v1.ObjectReference
topology? map[string]string
nodeName? *string
hints? *.EndpointHints
#EndpointConditions
ready? *bool
serving? *bool
terminating? *bool
#EndpointHints
forZones? [].ForZone
forNodes? [].ForNode +33
#EndpointPort
name? *string
protocol? *core/v1.Protocol
port? *int32
appProtocol? *string
#EndpointSlice
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
addressType .AddressType
endpoints [].Endpoint
ports [].EndpointPort
#EndpointSliceList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].EndpointSlice
#ForNode
name string +33
#ForZone
name string
@events/v1
#Event
=TypeMeta meta/v1.TypeMeta
metadata meta/v1.ObjectMeta
eventTime meta/v1.MicroTime
series? *.EventSeries
reportingController? string
reportingInstance? string
action? string
reason? string
regarding? core/v1.ObjectReference
related? *core/v1.ObjectReference
note? string
type? string
deprecatedSource? core/v1.EventSource
deprecatedFirstTimestamp? meta/v1.Time
deprecatedLastTimestamp? meta/v1.Time
deprecatedCount? int32
#EventList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Event
#EventSeries
atomic +38
count int32
lastObservedTime meta/v1.MicroTime
@events/v1beta1
#Event
=TypeMeta meta/v1.TypeMeta
metadata meta/v1.ObjectMeta
eventTime meta/v1.MicroTime
series? *.EventSeries
reportingController? string
reportingInstance? string
action? string
reason? string
regarding? core/v1.ObjectReference
related? *core/v1.ObjectReference
note? string
type? string
deprecatedSource? core/v1.EventSource
deprecatedFirstTimestamp? meta/v1.Time
deprecatedLastTimestamp? meta/v1.Time
deprecatedCount? int32
#EventList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Event
#EventSeries
atomic +38
count int32
lastObservedTime meta/v1.MicroTime
@extensions/v1beta1
#DaemonSet
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .DaemonSetSpec
status? .DaemonSetStatus
#DaemonSetCondition
type .DaemonSetConditionType def=""
status core/v1.ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:DaemonSetConditionType string
#DaemonSetList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].DaemonSet
#DaemonSetSpec
selector? *meta/v1.LabelSelector
template core/v1.PodTemplateSpec
updateStrategy? .DaemonSetUpdateStrategy
minReadySeconds? int32
templateGeneration? int64
revisionHistoryLimit? *int32
#DaemonSetStatus
currentNumberScheduled int32
numberMisscheduled int32
desiredNumberScheduled int32
numberReady int32
observedGeneration? int64
updatedNumberScheduled? int32
numberAvailable? int32
numberUnavailable? int32
collisionCount? *int32
conditions? [].DaemonSetCondition by=type
#DaemonSetUpdateStrategy
type? .DaemonSetUpdateStrategyType
rollingUpdate? *.RollingUpdateDaemonSet
:DaemonSetUpdateStrategyType string
#Deployment
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .DeploymentSpec
status? .DeploymentStatus
#DeploymentCondition
type .DeploymentConditionType def=""
status core/v1.ConditionStatus
lastUpdateTime? meta/v1.Time
lastTransitionTime? meta/v1.Time
reason? string
message? string
:DeploymentConditionType string
#DeploymentList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Deployment
#DeploymentRollback
=TypeMeta meta/v1.TypeMeta
name string
updatedAnnotations? map[string]string
rollbackTo .RollbackConfig
#DeploymentSpec
replicas? *int32
selector? *meta/v1.LabelSelector
template core/v1.PodTemplateSpec
strategy? .DeploymentStrategy
minReadySeconds? int32
revisionHistoryLimit? *int32
paused? bool
rollbackTo? *.RollbackConfig
progressDeadlineSeconds? *int32
#DeploymentStatus
observedGeneration? int64
replicas? int32
updatedReplicas? int32
readyReplicas? int32
availableReplicas? int32
unavailableReplicas? int32
terminatingReplicas? *int32 +33
conditions? [].DeploymentCondition by=type
collisionCount? *int32
#DeploymentStrategy
type? .DeploymentStrategyType
rollingUpdate? *.RollingUpdateDeployment
:DeploymentStrategyType string
#HTTPIngressPath
path? string
pathType? *.PathType
backend .IngressBackend
#HTTPIngressRuleValue
paths [].HTTPIngressPath
#IPBlock
cidr string
except? []string
#Ingress
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .IngressSpec
status? .IngressStatus
#IngressBackend
serviceName? string
servicePort? intstr.IntOrString
resource? *core/v1.TypedLocalObjectReference
#IngressList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Ingress
#IngressLoadBalancerIngress
ip? string
hostname? string
ports? [].IngressPortStatus
#IngressLoadBalancerStatus
ingress? [].IngressLoadBalancerIngress
#IngressPortStatus
port int32
protocol core/v1.Protocol
error? *string
#IngressRule
host? string
=IngressRuleValue .IngressRuleValue
#IngressRuleValue
http? *.HTTPIngressRuleValue
#IngressSpec
ingressClassName? *string
backend? *.IngressBackend
tls? [].IngressTLS
rules? [].IngressRule
#IngressStatus
loadBalancer? .IngressLoadBalancerStatus
#IngressTLS
hosts? []string
secretName? string
#NetworkPolicy
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .NetworkPolicySpec
#NetworkPolicyEgressRule
ports? [].NetworkPolicyPort
to? [].NetworkPolicyPeer
#NetworkPolicyIngressRule
ports? [].NetworkPolicyPort
from? [].NetworkPolicyPeer
#NetworkPolicyList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].NetworkPolicy
#NetworkPolicyPeer
podSelector? *meta/v1.LabelSelector
namespaceSelector? *meta/v1.LabelSelector
ipBlock? *.IPBlock
#NetworkPolicyPort
protocol? *core/v1.Protocol
port? *intstr.IntOrString
endPort? *int32
#NetworkPolicySpec
podSelector meta/v1.LabelSelector
ingress? [].NetworkPolicyIngressRule
egress? [].NetworkPolicyEgressRule
policyTypes? [].PolicyType
:PathType string
:PolicyType string
#ReplicaSet
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ReplicaSetSpec
status? .ReplicaSetStatus
#ReplicaSetCondition
type .ReplicaSetConditionType def=""
status core/v1.ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:ReplicaSetConditionType string
#ReplicaSetList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ReplicaSet
#ReplicaSetSpec
replicas? *int32
minReadySeconds? int32
selector? *meta/v1.LabelSelector
template? core/v1.PodTemplateSpec
#ReplicaSetStatus
replicas int32
fullyLabeledReplicas? int32
readyReplicas? int32
availableReplicas? int32
terminatingReplicas? *int32 +33
observedGeneration? int64
conditions? [].ReplicaSetCondition by=type
#RollbackConfig
revision? int64
#RollingUpdateDaemonSet
maxUnavailable? *intstr.IntOrString
maxSurge? *intstr.IntOrString
#RollingUpdateDeployment
maxUnavailable? *intstr.IntOrString
maxSurge? *intstr.IntOrString
#Scale
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .ScaleSpec
status? .ScaleStatus
#ScaleSpec
replicas? int32
#ScaleStatus
replicas int32
selector? map[string]string
targetSelector? string
@flowcontrol/v1
:ConditionStatus string
#ExemptPriorityLevelConfiguration
nominalConcurrencyShares? *int32
lendablePercent? *int32
#FlowDistinguisherMethod
type .FlowDistinguisherMethodType
:FlowDistinguisherMethodType string
#FlowSchema
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .FlowSchemaSpec
status? .FlowSchemaStatus
#FlowSchemaCondition
type? .FlowSchemaConditionType
status? .ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:FlowSchemaConditionType string
#FlowSchemaList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].FlowSchema
#FlowSchemaSpec
priorityLevelConfiguration .PriorityLevelConfigurationReference
matchingPrecedence int32
distinguisherMethod? *.FlowDistinguisherMethod
rules? [].PolicyRulesWithSubjects
#FlowSchemaStatus
conditions? [].FlowSchemaCondition by=type
#GroupSubject
name string
#LimitResponse
type .LimitResponseType
queuing? *.QueuingConfiguration
:LimitResponseType string
#LimitedPriorityLevelConfiguration
nominalConcurrencyShares *int32
limitResponse? .LimitResponse
lendablePercent? *int32
borrowingLimitPercent? *int32
#NonResourcePolicyRule
verbs []string set
nonResourceURLs []string set
#PolicyRulesWithSubjects
subjects [].Subject
resourceRules? [].ResourcePolicyRule
nonResourceRules? [].NonResourcePolicyRule
#PriorityLevelConfiguration
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .PriorityLevelConfigurationSpec
status? .PriorityLevelConfigurationStatus
#PriorityLevelConfigurationCondition
type? .PriorityLevelConfigurationConditionType
status? .ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:PriorityLevelConfigurationConditionType string
#PriorityLevelConfigurationList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].PriorityLevelConfiguration
#PriorityLevelConfigurationReference
name string
#PriorityLevelConfigurationSpec
type .PriorityLevelEnablement
limited? *.LimitedPriorityLevelConfiguration
exempt? *.ExemptPriorityLevelConfiguration
#PriorityLevelConfigurationStatus
conditions? [].PriorityLevelConfigurationCondition by=type
:PriorityLevelEnablement string
#QueuingConfiguration
queues int32
handSize int32
queueLengthLimit int32
#ResourcePolicyRule
verbs []string set
apiGroups []string set
resources []string set
clusterScope? bool
namespaces []string set
#ServiceAccountSubject
namespace string
name string
#Subject
kind .SubjectKind
user? *.UserSubject
group? *.GroupSubject
serviceAccount? *.ServiceAccountSubject
:SubjectKind string
#UserSubject
name string
@flowcontrol/v1beta1
:ConditionStatus string
#ExemptPriorityLevelConfiguration
nominalConcurrencyShares? *int32
lendablePercent? *int32
#FlowDistinguisherMethod
type .FlowDistinguisherMethodType
:FlowDistinguisherMethodType string
#FlowSchema
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .FlowSchemaSpec
status? .FlowSchemaStatus
#FlowSchemaCondition
type? .FlowSchemaConditionType
status? .ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:FlowSchemaConditionType string
#FlowSchemaList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].FlowSchema
#FlowSchemaSpec
priorityLevelConfiguration .PriorityLevelConfigurationReference
matchingPrecedence int32
distinguisherMethod? *.FlowDistinguisherMethod
rules? [].PolicyRulesWithSubjects
#FlowSchemaStatus
conditions? [].FlowSchemaCondition by=type
#GroupSubject
name string
#LimitResponse
type .LimitResponseType
queuing? *.QueuingConfiguration
:LimitResponseType string
#LimitedPriorityLevelConfiguration
assuredConcurrencyShares int32
limitResponse? .LimitResponse
lendablePercent? *int32
borrowingLimitPercent? *int32
#NonResourcePolicyRule
verbs []string set
nonResourceURLs []string set
#PolicyRulesWithSubjects
subjects [].Subject
resourceRules? [].ResourcePolicyRule
nonResourceRules? [].NonResourcePolicyRule
#PriorityLevelConfiguration
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .PriorityLevelConfigurationSpec
status? .PriorityLevelConfigurationStatus
#PriorityLevelConfigurationCondition
type? .PriorityLevelConfigurationConditionType
status? .ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:PriorityLevelConfigurationConditionType string
#PriorityLevelConfigurationList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].PriorityLevelConfiguration
#PriorityLevelConfigurationReference
name string
#PriorityLevelConfigurationSpec
type .PriorityLevelEnablement
limited? *.LimitedPriorityLevelConfiguration
exempt? *.ExemptPriorityLevelConfiguration
#PriorityLevelConfigurationStatus
conditions? [].PriorityLevelConfigurationCondition by=type
:PriorityLevelEnablement string
#QueuingConfiguration
queues int32
handSize int32
queueLengthLimit int32
#ResourcePolicyRule
verbs []string set
apiGroups []string set
resources []string set
clusterScope? bool
namespaces []string set
#ServiceAccountSubject
namespace string
name string
#Subject
kind .SubjectKind
user? *.UserSubject
group? *.GroupSubject
serviceAccount? *.ServiceAccountSubject
:SubjectKind string
#UserSubject
name string
@flowcontrol/v1beta2
:ConditionStatus string
#ExemptPriorityLevelConfiguration
nominalConcurrencyShares? *int32
lendablePercent? *int32
#FlowDistinguisherMethod
type .FlowDistinguisherMethodType
:FlowDistinguisherMethodType string
#FlowSchema
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .FlowSchemaSpec
status? .FlowSchemaStatus
#FlowSchemaCondition
type? .FlowSchemaConditionType
status? .ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:FlowSchemaConditionType string
#FlowSchemaList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].FlowSchema
#FlowSchemaSpec
priorityLevelConfiguration .PriorityLevelConfigurationReference
matchingPrecedence int32
distinguisherMethod? *.FlowDistinguisherMethod
rules? [].PolicyRulesWithSubjects
#FlowSchemaStatus
conditions? [].FlowSchemaCondition by=type
#GroupSubject
name string
#LimitResponse
type .LimitResponseType
queuing? *.QueuingConfiguration
:LimitResponseType string
#LimitedPriorityLevelConfiguration
assuredConcurrencyShares int32
limitResponse? .LimitResponse
lendablePercent? *int32
borrowingLimitPercent? *int32
#NonResourcePolicyRule
verbs []string set
nonResourceURLs []string set
#PolicyRulesWithSubjects
subjects [].Subject
resourceRules? [].ResourcePolicyRule
nonResourceRules? [].NonResourcePolicyRule
#PriorityLevelConfiguration
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .PriorityLevelConfigurationSpec
status? .PriorityLevelConfigurationStatus
#PriorityLevelConfigurationCondition
type? .PriorityLevelConfigurationConditionType
status? .ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:PriorityLevelConfigurationConditionType string
#PriorityLevelConfigurationList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].PriorityLevelConfiguration
#PriorityLevelConfigurationReference
name string
#PriorityLevelConfigurationSpec
type .PriorityLevelEnablement
limited? *.LimitedPriorityLevelConfiguration
exempt? *.ExemptPriorityLevelConfiguration
#PriorityLevelConfigurationStatus
conditions? [].PriorityLevelConfigurationCondition by=type
:PriorityLevelEnablement string
#QueuingConfiguration
queues int32
handSize int32
queueLengthLimit int32
#ResourcePolicyRule
verbs []string set
apiGroups []string set
resources []string set
clusterScope? bool
namespaces []string set
#ServiceAccountSubject
namespace string
name string
#Subject
kind .SubjectKind
user? *.UserSubject
group? *.GroupSubject
serviceAccount? *.ServiceAccountSubject
:SubjectKind string
#UserSubject
name string
@flowcontrol/v1beta3
:ConditionStatus string
#ExemptPriorityLevelConfiguration
nominalConcurrencyShares? *int32
lendablePercent? *int32
#FlowDistinguisherMethod
type .FlowDistinguisherMethodType
:FlowDistinguisherMethodType string
#FlowSchema
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .FlowSchemaSpec
status? .FlowSchemaStatus
#FlowSchemaCondition
type? .FlowSchemaConditionType
status? .ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:FlowSchemaConditionType string
#FlowSchemaList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].FlowSchema
#FlowSchemaSpec
priorityLevelConfiguration .PriorityLevelConfigurationReference
matchingPrecedence int32
distinguisherMethod? *.FlowDistinguisherMethod
rules? [].PolicyRulesWithSubjects
#FlowSchemaStatus
conditions? [].FlowSchemaCondition by=type
#GroupSubject
name string
#LimitResponse
type .LimitResponseType
queuing? *.QueuingConfiguration
:LimitResponseType string
#LimitedPriorityLevelConfiguration
nominalConcurrencyShares int32
limitResponse? .LimitResponse
lendablePercent? *int32
borrowingLimitPercent? *int32
#NonResourcePolicyRule
verbs []string set
nonResourceURLs []string set
#PolicyRulesWithSubjects
subjects [].Subject
resourceRules? [].ResourcePolicyRule
nonResourceRules? [].NonResourcePolicyRule
#PriorityLevelConfiguration
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .PriorityLevelConfigurationSpec
status? .PriorityLevelConfigurationStatus
#PriorityLevelConfigurationCondition
type? .PriorityLevelConfigurationConditionType
status? .ConditionStatus
lastTransitionTime? meta/v1.Time
reason? string
message? string
:PriorityLevelConfigurationConditionType string
#PriorityLevelConfigurationList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].PriorityLevelConfiguration
#PriorityLevelConfigurationReference
name string
#PriorityLevelConfigurationSpec
type .PriorityLevelEnablement
limited? *.LimitedPriorityLevelConfiguration
exempt? *.ExemptPriorityLevelConfiguration
#PriorityLevelConfigurationStatus
conditions? [].PriorityLevelConfigurationCondition by=type
:PriorityLevelEnablement string
#QueuingConfiguration
queues int32
handSize int32
queueLengthLimit int32
#ResourcePolicyRule
verbs []string set
apiGroups []string set
resources []string set
clusterScope? bool
namespaces []string set
#ServiceAccountSubject
namespace string
name string
#Subject
kind .SubjectKind
user? *.UserSubject
group? *.GroupSubject
serviceAccount? *.ServiceAccountSubject
:SubjectKind string
#UserSubject
name string
@intstr
!IntOrString
@lifecycle/v1alpha1
#Eviction
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ObjectMeta +37
spec .EvictionSpec +37
status? .EvictionStatus +37
#EvictionList
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ListMeta +37
items [].Eviction +37
#EvictionPodReference
name string +37
uid types.UID +37
#EvictionRequest
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ObjectMeta +37
spec .EvictionRequestSpec +37
status? .EvictionRequestStatus +37
:EvictionRequestIntent string
#EvictionRequestList
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ListMeta +37
items [].EvictionRequest +37
#EvictionRequestPodReference
name string +37
uid types.UID +37
#EvictionRequestSpec
target .EvictionRequestTarget +37
requester string +37
intent .EvictionRequestIntent +37
#EvictionRequestStatus
conditions? []meta/v1.Condition by=type +37
observedGeneration? *int64 +37
#EvictionRequestTarget
pod? *.EvictionRequestPodReference +37
#EvictionSpec
target .EvictionTarget +37
#EvictionStatus
conditions? []meta/v1.Condition by=type +37
observedGeneration? *int64 +37
requesters? [].Requester by=name +37
targetResponders? [].TargetResponder by=name +37
responders? [].ResponderStatus by=name +37
#EvictionTarget
pod? *.EvictionPodReference +37
#Requester
atomic +37
name string def="" +37
intent .RequesterIntent +37
:RequesterIntent string
:ResponderStateType string
#ResponderStatus
name string def="" +37
startTime? *meta/v1.Time +37
heartbeatTime? *meta/v1.Time +37
expectedCompletionTime? *meta/v1.Time +37
completionTime? *meta/v1.Time +37
message? *string +37
#TargetResponder
atomic +37
name string def="" +37
priority *int32 +37
state .ResponderStateType +37
@meta/v1
#APIGroup
=TypeMeta .TypeMeta
name string
versions [].GroupVersionForDiscovery
preferredVersion? .GroupVersionForDiscovery
serverAddressByClientCIDRs? [].ServerAddressByClientCIDR
#APIGroupList
=TypeMeta .TypeMeta
groups [].APIGroup
#APIResource
name string
singularName string
namespaced bool
group? string
version? string
kind string
verbs .Verbs
shortNames? []string
categories? []string
storageVersionHash? string
#APIResourceList
=TypeMeta .TypeMeta
groupVersion string
resources [].APIResource
#APIVersions
=TypeMeta .TypeMeta
versions []string
serverAddressByClientCIDRs [].ServerAddressByClientCIDR
:CauseType string
#Condition
type string def=""
status .ConditionStatus
observedGeneration? int64
lastTransitionTime .Time
reason string
message string
:ConditionStatus string
#CreateOptions
=TypeMeta .TypeMeta
dryRun? []string
fieldManager? string
fieldValidation? string
#DeleteOptions
=TypeMeta .TypeMeta
gracePeriodSeconds? *int64
preconditions? *.Preconditions
orphanDependents? *bool
propagationPolicy? *.DeletionPropagation
dryRun? []string
ignoreStoreReadErrorWithClusterBreakingPotential? *bool +32
:DeletionPropagation string
:FieldSelectorOperator string
#FieldSelectorRequirement
key string +31
operator .FieldSelectorOperator +31
values? []string +31
!FieldsV1
#GetOptions
=TypeMeta .TypeMeta
resourceVersion? string
#GroupResource
group string +35
resource string +35
#GroupVersionForDiscovery
groupVersion string
version string
#GroupVersionKind
group string
version string
kind string
#GroupVersionResource
group string
version string
resource string
#LabelSelector
atomic
matchLabels? map[string]string
matchExpressions? [].LabelSelectorRequirement
:LabelSelectorOperator string
#LabelSelectorRequirement
key string
operator .LabelSelectorOperator
values? []string
#ListMeta
selfLink? string
resourceVersion? string
continue? string
remainingItemCount? *int64
shardInfo? *.ShardInfo +36
#ListOptions
=TypeMeta .TypeMeta
labelSelector? string
fieldSelector? string
watch? bool
allowWatchBookmarks? bool
resourceVersion? string
resourceVersionMatch? .ResourceVersionMatch
timeoutSeconds? *int64
limit? int64
continue? string
sendInitialEvents? *bool
shardSelector? string +36
#ManagedFieldsEntry
manager? string
operation? .ManagedFieldsOperationType
apiVersion? string
time? *.Time
fieldsType? string
fieldsV1? *.FieldsV1
subresource? string
:ManagedFieldsOperationType string
!MicroTime
#ObjectMeta
name? string
generateName? string
namespace? string
selfLink? string
uid? types.UID
resourceVersion? string
generation? int64
creationTimestamp? .Time -34
creationTimestamp?0 .Time +34
deletionTimestamp? *.Time
deletionGracePeriodSeconds? *int64
labels? map[string]string
annotations? map[string]string
ownerReferences? [].OwnerReference by=uid
finalizers? []string set
managedFields? [].ManagedFieldsEntry
#OwnerReference
atomic
apiVersion string
kind string
name string
uid types.UID def=""
controller? *bool
blockOwnerDeletion? *bool
#PatchOptions
=TypeMeta .TypeMeta
dryRun? []string
force? *bool
fieldManager? string
fieldValidation? string
#Preconditions
uid? *types.UID
resourceVersion? *string
:ResourceVersionMatch string
#ServerAddressByClientCIDR
clientCIDR string
serverAddress string
#ShardInfo
selector string +36
#Status
=TypeMeta .TypeMeta
metadata? .ListMeta
status? string
message? string
reason? .StatusReason
details? *.StatusDetails
code? int32
#StatusCause
reason? .CauseType
message? string
field? string
#StatusDetails
name? string
group? string
kind? string
uid? types.UID
causes? [].StatusCause
retryAfterSeconds? int32
:StatusReason string
!Time
#TypeMeta
kind? string
apiVersion? string
#UpdateOptions
=TypeMeta .TypeMeta
dryRun? []string
fieldManager? string
fieldValidation? string
:Verbs []string
#WatchEvent
type string
object runtime.RawExtension
@networking/v1
#HTTPIngressPath
path? string
pathType *.PathType
backend .IngressBackend
#HTTPIngressRuleValue
paths [].HTTPIngressPath
#IPAddress
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ObjectMeta +33
spec? .IPAddressSpec +33
#IPAddressList
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ListMeta +33
items [].IPAddress +33
#IPAddressSpec
parentRef? *.ParentReference +33
#IPBlock
cidr string
except? []string
#Ingress
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .IngressSpec
status? .IngressStatus
#IngressBackend
service? *.IngressServiceBackend
resource? *core/v1.TypedLocalObjectReference
#IngressClass
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .IngressClassSpec
#IngressClassList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].IngressClass
#IngressClassParametersReference
apiGroup? *string
kind string
name string
scope *string
namespace? *string
#IngressClassSpec
controller? string
parameters? *.IngressClassParametersReference
#IngressList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Ingress
#IngressLoadBalancerIngress
ip? string
hostname? string
ports? [].IngressPortStatus
#IngressLoadBalancerStatus
ingress? [].IngressLoadBalancerIngress
#IngressPortStatus
port int32
protocol core/v1.Protocol
error? *string
#IngressRule
host? string
=IngressRuleValue .IngressRuleValue
#IngressRuleValue
http? *.HTTPIngressRuleValue
#IngressServiceBackend
name string
port? .ServiceBackendPort
#IngressSpec
ingressClassName? *string
defaultBackend? *.IngressBackend
tls? [].IngressTLS
rules? [].IngressRule
#IngressStatus
loadBalancer? .IngressLoadBalancerStatus
#IngressTLS
hosts? []string
secretName? string
#NetworkPolicy
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .NetworkPolicySpec
#NetworkPolicyEgressRule
ports? [].NetworkPolicyPort
to? [].NetworkPolicyPeer
#NetworkPolicyIngressRule
ports? [].NetworkPolicyPort
from? [].NetworkPolicyPeer
#NetworkPolicyList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].NetworkPolicy
#NetworkPolicyPeer
podSelector? *meta/v1.LabelSelector
namespaceSelector? *meta/v1.LabelSelector
ipBlock? *.IPBlock
#NetworkPolicyPort
protocol? *core/v1.Protocol
port? *intstr.IntOrString
endPort? *int32
#NetworkPolicySpec
podSelector meta/v1.LabelSelector
ingress? [].NetworkPolicyIngressRule
egress? [].NetworkPolicyEgressRule
policyTypes? [].PolicyType
#ParentReference
group? string +33
resource? string +33
namespace? string +33
name? string +33
:PathType string
:PolicyType string
#ServiceBackendPort
atomic +31
name? string
number? int32
#ServiceCIDR
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ObjectMeta +33
spec? .ServiceCIDRSpec +33
status? .ServiceCIDRStatus +33
#ServiceCIDRList
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ListMeta +33
items [].ServiceCIDR +33
#ServiceCIDRSpec
cidrs? []string +33
#ServiceCIDRStatus
conditions? []meta/v1.Condition by=type +33
@networking/v1alpha1
#IPAddress
=TypeMeta meta/v1.TypeMeta -34
metadata? meta/v1.ObjectMeta -34
spec? .IPAddressSpec -34
#IPAddressList
=TypeMeta meta/v1.TypeMeta -34
metadata? meta/v1.ListMeta -34
items [].IPAddress -34
#IPAddressSpec
parentRef? *.ParentReference -34
#ParentReference
group? string -34
resource? string -34
namespace? string -34
name? string -34
#ServiceCIDR
=TypeMeta meta/v1.TypeMeta -34
metadata? meta/v1.ObjectMeta -34
spec? .ServiceCIDRSpec -34
status? .ServiceCIDRStatus -34
#ServiceCIDRList
=TypeMeta meta/v1.TypeMeta -34
metadata? meta/v1.ListMeta -34
items [].ServiceCIDR -34
#ServiceCIDRSpec
cidrs? []string -34
#ServiceCIDRStatus
conditions? []meta/v1.Condition by=type -34
@networking/v1beta1
#HTTPIngressPath
path? string
pathType? *.PathType
backend .IngressBackend
#HTTPIngressRuleValue
paths [].HTTPIngressPath
#IPAddress
=TypeMeta meta/v1.TypeMeta +31
metadata? meta/v1.ObjectMeta +31
spec? .IPAddressSpec +31
#IPAddressList
=TypeMeta meta/v1.TypeMeta +31
metadata? meta/v1.ListMeta +31
items [].IPAddress +31
#IPAddressSpec
parentRef? *.ParentReference +31
#Ingress
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .IngressSpec
status? .IngressStatus
#IngressBackend
serviceName? string
servicePort? intstr.IntOrString
resource? *core/v1.TypedLocalObjectReference
#IngressClass
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .IngressClassSpec
#IngressClassList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].IngressClass
#IngressClassParametersReference
apiGroup? *string
kind string
name string
scope *string
namespace? *string
#IngressClassSpec
controller? string
parameters? *.IngressClassParametersReference
#IngressList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Ingress
#IngressLoadBalancerIngress
ip? string
hostname? string
ports? [].IngressPortStatus
#IngressLoadBalancerStatus
ingress? [].IngressLoadBalancerIngress
#IngressPortStatus
port int32
protocol core/v1.Protocol
error? *string
#IngressRule
host? string
=IngressRuleValue .IngressRuleValue
#IngressRuleValue
http? *.HTTPIngressRuleValue
#IngressSpec
ingressClassName? *string
backend? *.IngressBackend
tls? [].IngressTLS
rules? [].IngressRule
#IngressStatus
loadBalancer? .IngressLoadBalancerStatus
#IngressTLS
hosts? []string
secretName? string
#ParentReference
group? string +31
resource? string +31
namespace? string +31
name? string +31
:PathType string
#ServiceCIDR
=TypeMeta meta/v1.TypeMeta +31
metadata? meta/v1.ObjectMeta +31
spec? .ServiceCIDRSpec +31
status? .ServiceCIDRStatus +31
#ServiceCIDRList
=TypeMeta meta/v1.TypeMeta +31
metadata? meta/v1.ListMeta +31
items [].ServiceCIDR +31
#ServiceCIDRSpec
cidrs? []string +31
#ServiceCIDRStatus
conditions? []meta/v1.Condition by=type +31
@node/v1
#Overhead
podFixed? core/v1.ResourceList
#RuntimeClass
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
handler string
overhead? *.Overhead
scheduling? *.Scheduling
#RuntimeClassList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].RuntimeClass
#Scheduling
nodeSelector? map[string]string atomic
tolerations? []core/v1.Toleration
@node/v1alpha1
#Overhead
podFixed? core/v1.ResourceList
#RuntimeClass
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .RuntimeClassSpec
#RuntimeClassList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].RuntimeClass
#RuntimeClassSpec
runtimeHandler string
overhead? *.Overhead
scheduling? *.Scheduling
#Scheduling
nodeSelector? map[string]string atomic
tolerations? []core/v1.Toleration
@node/v1beta1
#Overhead
podFixed? core/v1.ResourceList
#RuntimeClass
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
handler string
overhead? *.Overhead
scheduling? *.Scheduling
#RuntimeClassList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].RuntimeClass
#Scheduling
nodeSelector? map[string]string atomic
tolerations? []core/v1.Toleration
@policy/v1
#Eviction
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
deleteOptions? *meta/v1.DeleteOptions
#PodDisruptionBudget
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .PodDisruptionBudgetSpec
status? .PodDisruptionBudgetStatus
#PodDisruptionBudgetList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].PodDisruptionBudget
#PodDisruptionBudgetSpec
minAvailable? *intstr.IntOrString
selector? *meta/v1.LabelSelector
maxUnavailable? *intstr.IntOrString
unhealthyPodEvictionPolicy? *.UnhealthyPodEvictionPolicyType
#PodDisruptionBudgetStatus
observedGeneration? int64
disruptedPods? map[string]meta/v1.Time
disruptionsAllowed int32
currentHealthy int32
desiredHealthy int32
expectedPods int32
conditions? []meta/v1.Condition by=type
:UnhealthyPodEvictionPolicyType string
@policy/v1beta1
#Eviction
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
deleteOptions? *meta/v1.DeleteOptions
#PodDisruptionBudget
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec? .PodDisruptionBudgetSpec
status? .PodDisruptionBudgetStatus
#PodDisruptionBudgetList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].PodDisruptionBudget
#PodDisruptionBudgetSpec
minAvailable? *intstr.IntOrString
selector? *meta/v1.LabelSelector
maxUnavailable? *intstr.IntOrString
unhealthyPodEvictionPolicy? *.UnhealthyPodEvictionPolicyType
#PodDisruptionBudgetStatus
observedGeneration? int64
disruptedPods? map[string]meta/v1.Time
disruptionsAllowed int32
currentHealthy int32
desiredHealthy int32
expectedPods int32
conditions? []meta/v1.Condition by=type
:UnhealthyPodEvictionPolicyType string
@rbac/v1
#AggregationRule
clusterRoleSelectors? []meta/v1.LabelSelector
#ClusterRole
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
rules [].PolicyRule
aggregationRule? *.AggregationRule
#ClusterRoleBinding
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
subjects? [].Subject
roleRef .RoleRef
#ClusterRoleBindingList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ClusterRoleBinding
#ClusterRoleList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ClusterRole
#PolicyRule
verbs []string
apiGroups? []string
resources? []string
resourceNames? []string
nonResourceURLs? []string
#Role
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
rules [].PolicyRule
#RoleBinding
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
subjects? [].Subject
roleRef .RoleRef
#RoleBindingList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].RoleBinding
#RoleList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Role
#RoleRef
atomic
apiGroup string
kind string
name string
#Subject
atomic
kind string
apiGroup? string
name string
namespace? string
@rbac/v1alpha1
#AggregationRule
clusterRoleSelectors? []meta/v1.LabelSelector
#ClusterRole
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
rules [].PolicyRule
aggregationRule? *.AggregationRule
#ClusterRoleBinding
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
subjects? [].Subject
roleRef .RoleRef
#ClusterRoleBindingList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ClusterRoleBinding
#ClusterRoleList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ClusterRole
#PolicyRule
verbs []string
apiGroups? []string
resources? []string
resourceNames? []string
nonResourceURLs? []string
#Role
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
rules [].PolicyRule
#RoleBinding
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
subjects? [].Subject
roleRef .RoleRef
#RoleBindingList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].RoleBinding
#RoleList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Role
#RoleRef
apiGroup string
kind string
name string
#Subject
kind string
apiVersion? string
name string
namespace? string
@rbac/v1beta1
#AggregationRule
clusterRoleSelectors? []meta/v1.LabelSelector
#ClusterRole
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
rules [].PolicyRule
aggregationRule? *.AggregationRule
#ClusterRoleBinding
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
subjects? [].Subject
roleRef .RoleRef
#ClusterRoleBindingList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ClusterRoleBinding
#ClusterRoleList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].ClusterRole
#PolicyRule
verbs []string
apiGroups? []string
resources? []string
resourceNames? []string
nonResourceURLs? []string
#Role
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
rules [].PolicyRule
#RoleBinding
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
subjects? [].Subject
roleRef .RoleRef
#RoleBindingList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].RoleBinding
#RoleList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].Role
#RoleRef
apiGroup string
kind string
name string
#Subject
kind string
apiGroup? string
name string
namespace? string
@resource
!Quantity
@resource/v1
#AllocatedDeviceStatus
driver string def="" +34
pool string def="" +34
device string def="" +34
shareID? *string +34
conditions []meta/v1.Condition by=type +34
data? *runtime.RawExtension +34
networkData? *.NetworkDeviceData +34
:AllocationConfigSource string
#AllocationResult
devices? .DeviceAllocationResult +34
nodeSelector? *core/v1.NodeSelector +34
allocationTimestamp? *meta/v1.Time +34
#CELDeviceSelector
expression string +34
#CapacityRequestPolicy
default *resource.Quantity +34
validValues? []resource.Quantity +34
validRange? *.CapacityRequestPolicyRange +34
#CapacityRequestPolicyRange
min? *resource.Quantity +34
max? *resource.Quantity +34
step? *resource.Quantity +34
#CapacityRequirements
requests? map[.QualifiedName]resource.Quantity +34
#Counter
value resource.Quantity +34
#CounterSet
name string +34
counters? map[string].Counter +34
#Device
name string +34
attributes? map[.QualifiedName].DeviceAttribute +34
capacity? map[.QualifiedName].DeviceCapacity +34
consumesCounters? [].DeviceCounterConsumption +34
nodeName? *string +34
nodeSelector? *core/v1.NodeSelector +34
allNodes? *bool +34
taints? [].DeviceTaint +34
bindsToNode? *bool +34
bindingConditions? []string +34
bindingFailureConditions? []string +34
allowMultipleAllocations? *bool +34
nodeAllocatableResourceMappings? map[core/v1.ResourceName].NodeAllocatableResourceMapping +36-37
nodeAllocatableResources? map[core/v1.ResourceName].NodeAllocatableResource +37
#DeviceAllocationConfiguration
source .AllocationConfigSource +34
requests? []string +34
=DeviceConfiguration .DeviceConfiguration +34
:DeviceAllocationMode string
#DeviceAllocationResult
results? [].DeviceRequestAllocationResult +34
config? [].DeviceAllocationConfiguration +34
#DeviceAttribute
int? *int64 +34
bool? *bool +34
string? *string +34
version? *string +34
ints? []int64 +36
bools? []bool +36
strings? []string +36
versions? []string +36
#DeviceCapacity
value resource.Quantity +34
requestPolicy? *.CapacityRequestPolicy +34
#DeviceClaim
requests [].DeviceRequest +34
constraints? [].DeviceConstraint +34
config? [].DeviceClaimConfiguration +34
#DeviceClaimConfiguration
requests? []string +34
=DeviceConfiguration .DeviceConfiguration +34
#DeviceClass
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ObjectMeta +34
spec .DeviceClassSpec +34
#DeviceClassConfiguration
=DeviceConfiguration .DeviceConfiguration +34
#DeviceClassList
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ListMeta +34
items [].DeviceClass +34
#DeviceClassSpec
selectors? [].DeviceSelector +34
config? [].DeviceClassConfiguration +34
extendedResourceName? *string +34
#DeviceConfiguration
opaque? *.OpaqueDeviceConfiguration +34
#DeviceConstraint
requests? []string +34
matchAttribute? *.FullyQualifiedName +34
distinctAttribute? *.FullyQualifiedName +34
#DeviceCounterConsumption
counterSet string +34
counters? map[string].Counter +34
compatibilityGroups? []string +37
#DeviceDerivedAttribute
name .FullyQualifiedName +37
expression string +37
#DeviceRequest
name string +34
exactly? *.ExactDeviceRequest +34
firstAvailable? [].DeviceSubRequest +34
#DeviceRequestAllocationResult
request string +34
driver string +34
pool string +34
device string +34
adminAccess? *bool +34
tolerations? [].DeviceToleration +34
bindingConditions? []string +34
bindingFailureConditions? []string +34
shareID? *types.UID +34
consumedCapacity? map[.QualifiedName]resource.Quantity +34
skipNodeOperations? [].SkipNodeOperation set +37
#DeviceSelector
cel? *.CELDeviceSelector +34
#DeviceSubRequest
name string +34
deviceClassName string +34
selectors? [].DeviceSelector +34
allocationMode? .DeviceAllocationMode +34
count? int64 +34
tolerations? [].DeviceToleration +34
capacity? *.CapacityRequirements +34
derivedAttributes? [].DeviceDerivedAttribute +37
#DeviceTaint
key string +34
value? string +34
effect .DeviceTaintEffect +34
timeAdded? *meta/v1.Time +34
:DeviceTaintEffect string
#DeviceTaintRule
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ObjectMeta +37
spec .DeviceTaintRuleSpec +37
status? .DeviceTaintRuleStatus +37
#DeviceTaintRuleList
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ListMeta +37
items [].DeviceTaintRule +37
#DeviceTaintRuleSpec
deviceSelector? *.DeviceTaintSelector +37
taint? .DeviceTaint +37
#DeviceTaintRuleStatus
conditions? []meta/v1.Condition by=type +37
#DeviceTaintSelector
driver? *string +37
pool? *string +37
device? *string +37
#DeviceToleration
key? string +34
operator? .DeviceTolerationOperator +34
value? string +34
effect? .DeviceTaintEffect +34
tolerationSeconds? *int64 +34
:DeviceTolerationOperator string
#ExactDeviceRequest
deviceClassName string +34
selectors? [].DeviceSelector +34
allocationMode? .DeviceAllocationMode +34
count? int64 +34
adminAccess? *bool +34
tolerations? [].DeviceToleration +34
capacity? *.CapacityRequirements +34
derivedAttributes? [].DeviceDerivedAttribute +37
:FullyQualifiedName string
#NetworkDeviceData
interfaceName? string +34
ips? []string +34
hardwareAddress? string +34
#NodeAllocatableMapping
capacityKey? *.QualifiedName +37
capacityMultiplier? *resource.Quantity +37
deviceMultiplier? *resource.Quantity +37
#NodeAllocatableOverhead
perPod? *resource.Quantity +37
perContainer? *resource.Quantity +37
#NodeAllocatableResource
mapping? *.NodeAllocatableMapping +37
overhead? *.NodeAllocatableOverhead +37
#NodeAllocatableResourceMapping
capacityKey? *.QualifiedName +36-37
allocationMultiplier? *resource.Quantity +36-37
#OpaqueDeviceConfiguration
driver string +34
parameters runtime.RawExtension +34
:QualifiedName string
#ResourceClaim
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ObjectMeta +34
spec .ResourceClaimSpec +34
status? .ResourceClaimStatus +34
#ResourceClaimConsumerReference
apiGroup? string +34
resource string +34
name string +34
uid types.UID def="" +34
#ResourceClaimList
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ListMeta +34
items [].ResourceClaim +34
#ResourceClaimSpec
devices .DeviceClaim +34
#ResourceClaimStatus
allocation? *.AllocationResult +34
reservedFor? [].ResourceClaimConsumerReference by=uid +34
devices? [].AllocatedDeviceStatus by=driver,device,pool,shareID +34
#ResourceClaimTemplate
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ObjectMeta +34
spec .ResourceClaimTemplateSpec +34
#ResourceClaimTemplateList
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ListMeta +34
items [].ResourceClaimTemplate +34
#ResourceClaimTemplateSpec
metadata? meta/v1.ObjectMeta +34
spec .ResourceClaimSpec +34
#ResourcePool
name string +34
generation int64 +34
resourceSliceCount int64 +34
#ResourceSlice
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ObjectMeta +34
spec .ResourceSliceSpec +34
#ResourceSliceList
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ListMeta +34
items [].ResourceSlice +34
#ResourceSliceSpec
driver string +34
pool .ResourcePool +34
nodeName? *string +34
nodeSelector? *core/v1.NodeSelector +34
allNodes? *bool +34
devices [].Device +34-35
devices? [].Device +35
perDeviceNodeSelection? *bool +34
sharedCounters? [].CounterSet +34
partitionTypeAttribute? *.FullyQualifiedName +37
skipNodeOperations? [].SkipNodeOperation set +37
:SkipNodeOperation string
@resource/v1alpha2
:AllocationMode string
#AllocationResult
resourceHandles? [].ResourceHandle -31
availableOnNodes? *core/v1.NodeSelector -31
shareable? bool -31
#AllocationResultModel
namedResources? *.NamedResourcesAllocationResult -31
#DriverAllocationResult
vendorRequestParameters? runtime.RawExtension -31
=AllocationResultModel .AllocationResultModel -31
#DriverRequests
driverName? string -31
vendorParameters? runtime.RawExtension -31
requests? [].ResourceRequest -31
#NamedResourcesAllocationResult
name string -31
#NamedResourcesAttribute
name string -31
=NamedResourcesAttributeValue .NamedResourcesAttributeValue -31
#NamedResourcesAttributeValue
quantity? *resource.Quantity -31
bool? *bool -31
int? *int64 -31
intSlice? *.NamedResourcesIntSlice -31
string? *string -31
stringSlice? *.NamedResourcesStringSlice -31
version? *string -31
#NamedResourcesFilter
selector string -31
#NamedResourcesInstance
name string -31
attributes? [].NamedResourcesAttribute -31
#NamedResourcesIntSlice
ints []int64 -31
#NamedResourcesRequest
selector string -31
#NamedResourcesResources
instances [].NamedResourcesInstance -31
#NamedResourcesStringSlice
strings []string -31
#PodSchedulingContext
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ObjectMeta -31
spec .PodSchedulingContextSpec -31
status? .PodSchedulingContextStatus -31
#PodSchedulingContextList
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ListMeta -31
items [].PodSchedulingContext -31
#PodSchedulingContextSpec
selectedNode? string -31
potentialNodes? []string -31
#PodSchedulingContextStatus
resourceClaims? [].ResourceClaimSchedulingStatus by=name -31
#ResourceClaim
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ObjectMeta -31
spec .ResourceClaimSpec -31
status? .ResourceClaimStatus -31
#ResourceClaimConsumerReference
apiGroup? string -31
resource string -31
name string -31
uid types.UID def="" -31
#ResourceClaimList
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ListMeta -31
items [].ResourceClaim -31
#ResourceClaimParameters
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ObjectMeta -31
generatedFrom? *.ResourceClaimParametersReference -31
shareable? bool -31
driverRequests? [].DriverRequests -31
#ResourceClaimParametersList
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ListMeta -31
items [].ResourceClaimParameters -31
#ResourceClaimParametersReference
apiGroup? string -31
kind string -31
name string -31
#ResourceClaimSchedulingStatus
name? string -31
unsuitableNodes? []string -31
#ResourceClaimSpec
resourceClassName string -31
parametersRef? *.ResourceClaimParametersReference -31
allocationMode? .AllocationMode -31
#ResourceClaimStatus
driverName? string -31
allocation? *.AllocationResult -31
reservedFor? [].ResourceClaimConsumerReference by=uid -31
deallocationRequested? bool -31
#ResourceClaimTemplate
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ObjectMeta -31
spec .ResourceClaimTemplateSpec -31
#ResourceClaimTemplateList
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ListMeta -31
items [].ResourceClaimTemplate -31
#ResourceClaimTemplateSpec
metadata? meta/v1.ObjectMeta -31
spec .ResourceClaimSpec -31
#ResourceClass
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ObjectMeta -31
driverName string -31
parametersRef? *.ResourceClassParametersReference -31
suitableNodes? *core/v1.NodeSelector -31
structuredParameters? *bool -31
#ResourceClassList
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ListMeta -31
items [].ResourceClass -31
#ResourceClassParameters
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ObjectMeta -31
generatedFrom? *.ResourceClassParametersReference -31
vendorParameters? [].VendorParameters -31
filters? [].ResourceFilter -31
#ResourceClassParametersList
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ListMeta -31
items [].ResourceClassParameters -31
#ResourceClassParametersReference
apiGroup? string -31
kind string -31
name string -31
namespace? string -31
#ResourceFilter
driverName? string -31
=ResourceFilterModel .ResourceFilterModel -31
#ResourceFilterModel
namedResources? *.NamedResourcesFilter -31
#ResourceHandle
driverName? string -31
data? string -31
structuredData? *.StructuredResourceHandle -31
#ResourceModel
namedResources? *.NamedResourcesResources -31
#ResourceRequest
vendorParameters? runtime.RawExtension -31
=ResourceRequestModel .ResourceRequestModel -31
#ResourceRequestModel
namedResources? *.NamedResourcesRequest -31
#ResourceSlice
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ObjectMeta -31
nodeName? string -31
driverName string -31
=ResourceModel .ResourceModel -31
#ResourceSliceList
=TypeMeta meta/v1.TypeMeta -31
metadata? meta/v1.ListMeta -31
items [].ResourceSlice -31
#StructuredResourceHandle
vendorClassParameters? runtime.RawExtension -31
vendorClaimParameters? runtime.RawExtension -31
nodeName? string -31
results [].DriverAllocationResult -31
#VendorParameters
driverName? string -31
parameters? runtime.RawExtension -31
@resource/v1alpha3
#AllocatedDeviceStatus
driver string def="" +32-34
pool string def="" +32-34
device string def="" +32-34
conditions []meta/v1.Condition by=type +32-34
data? runtime.RawExtension +32-33
data? *runtime.RawExtension +33-34
networkData? *.NetworkDeviceData +32-34
:AllocationConfigSource string
#AllocationResult
devices? .DeviceAllocationResult +31-34
nodeSelector? *core/v1.NodeSelector +31-34
controller? string +31-32
#BasicDevice
attributes? map[.QualifiedName].DeviceAttribute +31-34
capacity? map[.QualifiedName]resource.Quantity +31-34
consumesCounters? [].DeviceCounterConsumption +33-34
nodeName? *string +33-34
nodeSelector? *core/v1.NodeSelector +33-34
allNodes? *bool +33-34
taints? [].DeviceTaint +33-34
#CELDeviceSelector
expression string +31-35
#Counter
value resource.Quantity +33-34
#CounterSet
name string +33-34
counters? map[string].Counter +33-34
#Device
name string +31-34
basic? *.BasicDevice +31-34
#DeviceAllocationConfiguration
source .AllocationConfigSource +31-34
requests? []string +31-34
=DeviceConfiguration .DeviceConfiguration +31-34
:DeviceAllocationMode string
#DeviceAllocationResult
results? [].DeviceRequestAllocationResult +31-34
config? [].DeviceAllocationConfiguration +31-34
#DeviceAttribute
int? *int64 +31-34
bool? *bool +31-34
string? *string +31-34
version? *string +31-34
#DeviceClaim
requests [].DeviceRequest +31-34
constraints? [].DeviceConstraint +31-34
config? [].DeviceClaimConfiguration +31-34
#DeviceClaimConfiguration
requests? []string +31-34
=DeviceConfiguration .DeviceConfiguration +31-34
#DeviceClass
=TypeMeta meta/v1.TypeMeta +31-34
metadata? meta/v1.ObjectMeta +31-34
spec .DeviceClassSpec +31-34
#DeviceClassConfiguration
=DeviceConfiguration .DeviceConfiguration +31-34
#DeviceClassList
=TypeMeta meta/v1.TypeMeta +31-34
metadata? meta/v1.ListMeta +31-34
items [].DeviceClass +31-34
#DeviceClassSpec
selectors? [].DeviceSelector +31-34
config? [].DeviceClassConfiguration +31-34
suitableNodes? *core/v1.NodeSelector +31-32
#DeviceConfiguration
opaque? *.OpaqueDeviceConfiguration +31-34
#DeviceConstraint
requests? []string +31-34
matchAttribute? *.FullyQualifiedName +31-34
#DeviceCounterConsumption
counterSet string +33-34
counters? map[string].Counter +33-34
#DeviceRequest
name string +31-34
deviceClassName string +31-34
selectors? [].DeviceSelector +31-34
allocationMode? .DeviceAllocationMode +31-34
count? int64 +31-34
adminAccess? bool +31-32
adminAccess? *bool +32-34
firstAvailable? [].DeviceSubRequest +33-34
tolerations? [].DeviceToleration +33-34
#DeviceRequestAllocationResult
request string +31-34
driver string +31-34
pool string +31-34
device string +31-34
adminAccess *bool +32-34
tolerations? [].DeviceToleration +33-34
#DeviceSelector
cel? *.CELDeviceSelector +31-35
#DeviceSubRequest
name string +33-34
deviceClassName string +33-34
selectors? [].DeviceSelector +33-34
allocationMode? .DeviceAllocationMode +33-34
count? int64 +33-34
tolerations? [].DeviceToleration +33-34
#DeviceTaint
key string +33
value? string +33
effect .DeviceTaintEffect +33
timeAdded? *meta/v1.Time +33
:DeviceTaintEffect string
#DeviceTaintRule
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ObjectMeta +33
spec .DeviceTaintRuleSpec +33
status? .DeviceTaintRuleStatus +35
#DeviceTaintRuleList
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ListMeta +33
items [].DeviceTaintRule +33
#DeviceTaintRuleSpec
deviceSelector? *.DeviceTaintSelector +33
taint? .DeviceTaint +33
#DeviceTaintRuleStatus
conditions? []meta/v1.Condition by=type +35
#DeviceTaintSelector
deviceClassName? *string +33-35
driver? *string +33
pool? *string +33
device? *string +33
selectors? [].DeviceSelector +33-35
#DeviceToleration
key? string +33-34
operator? .DeviceTolerationOperator +33-34
value? string +33-34
effect? .DeviceTaintEffect +33-34
tolerationSeconds? *int64 +33-34
:DeviceTolerationOperator string
:FullyQualifiedName string
#NetworkDeviceData
interfaceName? string +32-34
ips? []string +32-34
hardwareAddress? string +32-34
#OpaqueDeviceConfiguration
driver string +31-34
parameters runtime.RawExtension +31-34
#PartitionTypeStatus
attribute? string +37
type? string +37
total? *int32 +37
allocatable? *int32 +37
#PodSchedulingContext
=TypeMeta meta/v1.TypeMeta +31-32
metadata? meta/v1.ObjectMeta +31-32
spec .PodSchedulingContextSpec +31-32
status? .PodSchedulingContextStatus +31-32
#PodSchedulingContextList
=TypeMeta meta/v1.TypeMeta +31-32
metadata? meta/v1.ListMeta +31-32
items [].PodSchedulingContext +31-32
#PodSchedulingContextSpec
selectedNode? string +31-32
potentialNodes? []string +31-32
#PodSchedulingContextStatus
resourceClaims? [].ResourceClaimSchedulingStatus by=name +31-32
#PoolStatus
driver? string +36
poolName? string +36
generation int64 +36
resourceSliceCount? *int32 +36
totalDevices? *int32 +36
allocatedDevices? *int32 +36
availableDevices? *int32 +36
unavailableDevices? *int32 +36
nodeName? *string +36
validationError? *string +36
partitionSummary? [].PartitionTypeStatus +37
shareableSummary? *.ShareableSummaryStatus +37
:QualifiedName string
#ResourceClaim
=TypeMeta meta/v1.TypeMeta +31-34
metadata? meta/v1.ObjectMeta +31-34
spec .ResourceClaimSpec +31-34
status? .ResourceClaimStatus +31-34
#ResourceClaimConsumerReference
apiGroup? string +31-34
resource string +31-34
name string +31-34
uid types.UID def="" +31-34
#ResourceClaimList
=TypeMeta meta/v1.TypeMeta +31-34
metadata? meta/v1.ListMeta +31-34
items [].ResourceClaim +31-34
#ResourceClaimSchedulingStatus
name string def="" +31-32
unsuitableNodes? []string +31-32
#ResourceClaimSpec
devices .DeviceClaim +31-34
controller? string +31-32
#ResourceClaimStatus
allocation? *.AllocationResult +31-34
reservedFor? [].ResourceClaimConsumerReference by=uid +31-34
deallocationRequested? bool +31-32
devices? [].AllocatedDeviceStatus by=driver,device,pool +32-34
#ResourceClaimTemplate
=TypeMeta meta/v1.TypeMeta +31-34
metadata? meta/v1.ObjectMeta +31-34
spec .ResourceClaimTemplateSpec +31-34
#ResourceClaimTemplateList
=TypeMeta meta/v1.TypeMeta +31-34
metadata? meta/v1.ListMeta +31-34
items [].ResourceClaimTemplate +31-34
#ResourceClaimTemplateSpec
metadata? meta/v1.ObjectMeta +31-34
spec .ResourceClaimSpec +31-34
#ResourcePool
name string +31-34
generation int64 +31-34
resourceSliceCount int64 +31-34
#ResourcePoolStatusRequest
=TypeMeta meta/v1.TypeMeta +36
metadata? meta/v1.ObjectMeta +36
spec .ResourcePoolStatusRequestSpec +36
status? *.ResourcePoolStatusRequestStatus +36
#ResourcePoolStatusRequestList
=TypeMeta meta/v1.TypeMeta +36
metadata? meta/v1.ListMeta +36
items [].ResourcePoolStatusRequest +36
#ResourcePoolStatusRequestSpec
driver string +36
poolName? *string +36
limit? *int32 +36
defaultPartitionTypeAttribute? *string +37
#ResourcePoolStatusRequestStatus
poolCount? *int32 +36
pools? [].PoolStatus +36
conditions? []meta/v1.Condition by=type +36
#ResourceSlice
=TypeMeta meta/v1.TypeMeta +31-34
metadata? meta/v1.ObjectMeta +31-34
spec .ResourceSliceSpec +31-34
#ResourceSliceList
=TypeMeta meta/v1.TypeMeta +31-34
metadata? meta/v1.ListMeta +31-34
items [].ResourceSlice +31-34
#ResourceSliceSpec
driver string +31-34
pool .ResourcePool +31-34
nodeName? string +31-34
nodeSelector? *core/v1.NodeSelector +31-34
allNodes? bool +31-34
devices [].Device +31-34
perDeviceNodeSelection? *bool +33-34
sharedCounters? [].CounterSet +33-34
#ShareableCapacityStatus
name? string +37
total? *resource.Quantity +37
consumed? *resource.Quantity +37
available? *resource.Quantity +37
#ShareableSummaryStatus
fullyAvailableDevices? *int32 +37
partiallyAvailableDevices? *int32 +37
capacity? [].ShareableCapacityStatus +37
@resource/v1beta1
#AllocatedDeviceStatus
driver string def="" +32
pool string def="" +32
device string def="" +32
shareID? *string +34
conditions []meta/v1.Condition by=type +32
data? runtime.RawExtension +32-33
data? *runtime.RawExtension +33
networkData? *.NetworkDeviceData +32
:AllocationConfigSource string
#AllocationResult
devices? .DeviceAllocationResult +32
nodeSelector? *core/v1.NodeSelector +32
allocationTimestamp? *meta/v1.Time +34
#BasicDevice
attributes? map[.QualifiedName].DeviceAttribute +32
capacity? map[.QualifiedName].DeviceCapacity +32
consumesCounters? [].DeviceCounterConsumption +33
nodeName? *string +33
nodeSelector? *core/v1.NodeSelector +33
allNodes? *bool +33
taints? [].DeviceTaint +33
bindsToNode? *bool +34
bindingConditions? []string +34
bindingFailureConditions? []string +34
allowMultipleAllocations? *bool +34
nodeAllocatableResourceMappings? map[core/v1.ResourceName].NodeAllocatableResourceMapping +36-37
nodeAllocatableResources? map[core/v1.ResourceName].NodeAllocatableResource +37
#CELDeviceSelector
expression string +32
#CapacityRequestPolicy
default *resource.Quantity +34
validValues? []resource.Quantity +34
validRange? *.CapacityRequestPolicyRange +34
#CapacityRequestPolicyRange
min? *resource.Quantity +34
max? *resource.Quantity +34
step? *resource.Quantity +34
#CapacityRequirements
requests? map[.QualifiedName]resource.Quantity +34
#Counter
value resource.Quantity +33
#CounterSet
name string +33
counters? map[string].Counter +33
#Device
name string +32
basic? *.BasicDevice +32
#DeviceAllocationConfiguration
source .AllocationConfigSource +32
requests? []string +32
=DeviceConfiguration .DeviceConfiguration +32
:DeviceAllocationMode string
#DeviceAllocationResult
results? [].DeviceRequestAllocationResult +32
config? [].DeviceAllocationConfiguration +32
#DeviceAttribute
int? *int64 +32
bool? *bool +32
string? *string +32
version? *string +32
ints? []int64 +36
bools? []bool +36
strings? []string +36
versions? []string +36
#DeviceCapacity
value resource.Quantity +32
requestPolicy? *.CapacityRequestPolicy +34
#DeviceClaim
requests [].DeviceRequest +32
constraints? [].DeviceConstraint +32
config? [].DeviceClaimConfiguration +32
#DeviceClaimConfiguration
requests? []string +32
=DeviceConfiguration .DeviceConfiguration +32
#DeviceClass
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ObjectMeta +32
spec .DeviceClassSpec +32
#DeviceClassConfiguration
=DeviceConfiguration .DeviceConfiguration +32
#DeviceClassList
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ListMeta +32
items [].DeviceClass +32
#DeviceClassSpec
selectors? [].DeviceSelector +32
config? [].DeviceClassConfiguration +32
extendedResourceName? *string +34
#DeviceConfiguration
opaque? *.OpaqueDeviceConfiguration +32
#DeviceConstraint
requests? []string +32
matchAttribute? *.FullyQualifiedName +32
distinctAttribute? *.FullyQualifiedName +34
#DeviceCounterConsumption
counterSet string +33
counters? map[string].Counter +33
compatibilityGroups? []string +37
#DeviceDerivedAttribute
name .FullyQualifiedName +37
expression string +37
#DeviceRequest
name string +32
deviceClassName string +32
selectors? [].DeviceSelector +32
allocationMode? .DeviceAllocationMode +32
count? int64 +32
adminAccess? *bool +32
firstAvailable? [].DeviceSubRequest +33
tolerations? [].DeviceToleration +33
capacity? *.CapacityRequirements +34
derivedAttributes? [].DeviceDerivedAttribute +37
#DeviceRequestAllocationResult
request string +32
driver string +32
pool string +32
device string +32
adminAccess *bool +32-34
adminAccess? *bool +34
tolerations? [].DeviceToleration +33
bindingConditions? []string +34
bindingFailureConditions? []string +34
shareID? *types.UID +34
consumedCapacity? map[.QualifiedName]resource.Quantity +34
skipNodeOperations? [].SkipNodeOperation set +37
#DeviceSelector
cel? *.CELDeviceSelector +32
#DeviceSubRequest
name string +33
deviceClassName string +33
selectors? [].DeviceSelector +33
allocationMode? .DeviceAllocationMode +33
count? int64 +33
tolerations? [].DeviceToleration +33
capacity? *.CapacityRequirements +34
derivedAttributes? [].DeviceDerivedAttribute +37
#DeviceTaint
key string +33
value? string +33
effect .DeviceTaintEffect +33
timeAdded? *meta/v1.Time +33
:DeviceTaintEffect string
#DeviceToleration
key? string +33
operator? .DeviceTolerationOperator +33
value? string +33
effect? .DeviceTaintEffect +33
tolerationSeconds? *int64 +33
:DeviceTolerationOperator string
:FullyQualifiedName string
#NetworkDeviceData
interfaceName? string +32
ips? []string +32
hardwareAddress? string +32
#NodeAllocatableMapping
capacityKey? *.QualifiedName +37
capacityMultiplier? *resource.Quantity +37
deviceMultiplier? *resource.Quantity +37
#NodeAllocatableOverhead
perPod? *resource.Quantity +37
perContainer? *resource.Quantity +37
#NodeAllocatableResource
mapping? *.NodeAllocatableMapping +37
overhead? *.NodeAllocatableOverhead +37
#NodeAllocatableResourceMapping
capacityKey? *.QualifiedName +36-37
allocationMultiplier? *resource.Quantity +36-37
#OpaqueDeviceConfiguration
driver string +32
parameters runtime.RawExtension +32
:QualifiedName string
#ResourceClaim
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ObjectMeta +32
spec .ResourceClaimSpec +32
status? .ResourceClaimStatus +32
#ResourceClaimConsumerReference
apiGroup? string +32
resource string +32
name string +32
uid types.UID def="" +32
#ResourceClaimList
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ListMeta +32
items [].ResourceClaim +32
#ResourceClaimSpec
devices .DeviceClaim +32
#ResourceClaimStatus
allocation? *.AllocationResult +32
reservedFor? [].ResourceClaimConsumerReference by=uid +32
devices? [].AllocatedDeviceStatus by=driver,device,pool +32-34
devices? [].AllocatedDeviceStatus by=driver,device,pool,shareID +34
#ResourceClaimTemplate
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ObjectMeta +32
spec .ResourceClaimTemplateSpec +32
#ResourceClaimTemplateList
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ListMeta +32
items [].ResourceClaimTemplate +32
#ResourceClaimTemplateSpec
metadata? meta/v1.ObjectMeta +32
spec .ResourceClaimSpec +32
#ResourcePool
name string +32
generation int64 +32
resourceSliceCount int64 +32
#ResourceSlice
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ObjectMeta +32
spec .ResourceSliceSpec +32
#ResourceSliceList
=TypeMeta meta/v1.TypeMeta +32
metadata? meta/v1.ListMeta +32
items [].ResourceSlice +32
#ResourceSliceSpec
driver string +32
pool .ResourcePool +32
nodeName? string +32
nodeSelector? *core/v1.NodeSelector +32
allNodes? bool +32
devices [].Device +32-35
devices? [].Device +35
perDeviceNodeSelection? *bool +33
sharedCounters? [].CounterSet +33
partitionTypeAttribute? *.FullyQualifiedName +37
skipNodeOperations? [].SkipNodeOperation set +37
:SkipNodeOperation string
@resource/v1beta2
#AllocatedDeviceStatus
driver string def="" +33
pool string def="" +33
device string def="" +33
shareID? *string +34
conditions []meta/v1.Condition by=type +33
data? *runtime.RawExtension +33
networkData? *.NetworkDeviceData +33
:AllocationConfigSource string
#AllocationResult
devices? .DeviceAllocationResult +33
nodeSelector? *core/v1.NodeSelector +33
allocationTimestamp? *meta/v1.Time +34
#CELDeviceSelector
expression string +33
#CapacityRequestPolicy
default *resource.Quantity +34
validValues? []resource.Quantity +34
validRange? *.CapacityRequestPolicyRange +34
#CapacityRequestPolicyRange
min? *resource.Quantity +34
max? *resource.Quantity +34
step? *resource.Quantity +34
#CapacityRequirements
requests? map[.QualifiedName]resource.Quantity +34
#Counter
value resource.Quantity +33
#CounterSet
name string +33
counters? map[string].Counter +33
#Device
name string +33
attributes? map[.QualifiedName].DeviceAttribute +33
capacity? map[.QualifiedName].DeviceCapacity +33
consumesCounters? [].DeviceCounterConsumption +33
nodeName? *string +33
nodeSelector? *core/v1.NodeSelector +33
allNodes? *bool +33
taints? [].DeviceTaint +33
bindsToNode? *bool +34
bindingConditions? []string +34
bindingFailureConditions? []string +34
allowMultipleAllocations? *bool +34
nodeAllocatableResourceMappings? map[core/v1.ResourceName].NodeAllocatableResourceMapping +36-37
nodeAllocatableResources? map[core/v1.ResourceName].NodeAllocatableResource +37
#DeviceAllocationConfiguration
source .AllocationConfigSource +33
requests? []string +33
=DeviceConfiguration .DeviceConfiguration +33
:DeviceAllocationMode string
#DeviceAllocationResult
results? [].DeviceRequestAllocationResult +33
config? [].DeviceAllocationConfiguration +33
#DeviceAttribute
int? *int64 +33
bool? *bool +33
string? *string +33
version? *string +33
ints? []int64 +36
bools? []bool +36
strings? []string +36
versions? []string +36
#DeviceCapacity
value resource.Quantity +33
requestPolicy? *.CapacityRequestPolicy +34
#DeviceClaim
requests [].DeviceRequest +33
constraints? [].DeviceConstraint +33
config? [].DeviceClaimConfiguration +33
#DeviceClaimConfiguration
requests? []string +33
=DeviceConfiguration .DeviceConfiguration +33
#DeviceClass
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ObjectMeta +33
spec .DeviceClassSpec +33
#DeviceClassConfiguration
=DeviceConfiguration .DeviceConfiguration +33
#DeviceClassList
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ListMeta +33
items [].DeviceClass +33
#DeviceClassSpec
selectors? [].DeviceSelector +33
config? [].DeviceClassConfiguration +33
extendedResourceName? *string +34
#DeviceConfiguration
opaque? *.OpaqueDeviceConfiguration +33
#DeviceConstraint
requests? []string +33
matchAttribute? *.FullyQualifiedName +33
distinctAttribute? *.FullyQualifiedName +34
#DeviceCounterConsumption
counterSet string +33
counters? map[string].Counter +33
compatibilityGroups? []string +37
#DeviceDerivedAttribute
name .FullyQualifiedName +37
expression string +37
#DeviceRequest
name string +33
exactly? *.ExactDeviceRequest +33
firstAvailable? [].DeviceSubRequest +33
#DeviceRequestAllocationResult
request string +33
driver string +33
pool string +33
device string +33
adminAccess *bool +33-34
adminAccess? *bool +34
tolerations? [].DeviceToleration +33
bindingConditions? []string +34
bindingFailureConditions? []string +34
shareID? *types.UID +34
consumedCapacity? map[.QualifiedName]resource.Quantity +34
skipNodeOperations? [].SkipNodeOperation set +37
#DeviceSelector
cel? *.CELDeviceSelector +33
#DeviceSubRequest
name string +33
deviceClassName string +33
selectors? [].DeviceSelector +33
allocationMode? .DeviceAllocationMode +33
count? int64 +33
tolerations? [].DeviceToleration +33
capacity? *.CapacityRequirements +34
derivedAttributes? [].DeviceDerivedAttribute +37
#DeviceTaint
key string +33
value? string +33
effect .DeviceTaintEffect +33
timeAdded? *meta/v1.Time +33
:DeviceTaintEffect string
#DeviceTaintRule
=TypeMeta meta/v1.TypeMeta +36
metadata? meta/v1.ObjectMeta +36
spec .DeviceTaintRuleSpec +36
status? .DeviceTaintRuleStatus +36
#DeviceTaintRuleList
=TypeMeta meta/v1.TypeMeta +36
metadata? meta/v1.ListMeta +36
items [].DeviceTaintRule +36
#DeviceTaintRuleSpec
deviceSelector? *.DeviceTaintSelector +36
taint? .DeviceTaint +36
#DeviceTaintRuleStatus
conditions? []meta/v1.Condition by=type +36
#DeviceTaintSelector
driver? *string +36
pool? *string +36
device? *string +36
#DeviceToleration
key? string +33
operator? .DeviceTolerationOperator +33
value? string +33
effect? .DeviceTaintEffect +33
tolerationSeconds? *int64 +33
:DeviceTolerationOperator string
#ExactDeviceRequest
deviceClassName string +33
selectors? [].DeviceSelector +33
allocationMode? .DeviceAllocationMode +33
count? int64 +33
adminAccess? *bool +33
tolerations? [].DeviceToleration +33
capacity? *.CapacityRequirements +34
derivedAttributes? [].DeviceDerivedAttribute +37
:FullyQualifiedName string
#NetworkDeviceData
interfaceName? string +33
ips? []string +33
hardwareAddress? string +33
#NodeAllocatableMapping
capacityKey? *.QualifiedName +37
capacityMultiplier? *resource.Quantity +37
deviceMultiplier? *resource.Quantity +37
#NodeAllocatableOverhead
perPod? *resource.Quantity +37
perContainer? *resource.Quantity +37
#NodeAllocatableResource
mapping? *.NodeAllocatableMapping +37
overhead? *.NodeAllocatableOverhead +37
#NodeAllocatableResourceMapping
capacityKey? *.QualifiedName +36-37
allocationMultiplier? *resource.Quantity +36-37
#OpaqueDeviceConfiguration
driver string +33
parameters runtime.RawExtension +33
:QualifiedName string
#ResourceClaim
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ObjectMeta +33
spec .ResourceClaimSpec +33
status? .ResourceClaimStatus +33
#ResourceClaimConsumerReference
apiGroup? string +33
resource string +33
name string +33
uid types.UID def="" +33
#ResourceClaimList
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ListMeta +33
items [].ResourceClaim +33
#ResourceClaimSpec
devices .DeviceClaim +33
#ResourceClaimStatus
allocation? *.AllocationResult +33
reservedFor? [].ResourceClaimConsumerReference by=uid +33
devices? [].AllocatedDeviceStatus by=driver,device,pool +33-34
devices? [].AllocatedDeviceStatus by=driver,device,pool,shareID +34
#ResourceClaimTemplate
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ObjectMeta +33
spec .ResourceClaimTemplateSpec +33
#ResourceClaimTemplateList
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ListMeta +33
items [].ResourceClaimTemplate +33
#ResourceClaimTemplateSpec
metadata? meta/v1.ObjectMeta +33
spec .ResourceClaimSpec +33
#ResourcePool
name string +33
generation int64 +33
resourceSliceCount int64 +33
#ResourceSlice
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ObjectMeta +33
spec .ResourceSliceSpec +33
#ResourceSliceList
=TypeMeta meta/v1.TypeMeta +33
metadata? meta/v1.ListMeta +33
items [].ResourceSlice +33
#ResourceSliceSpec
driver string +33
pool .ResourcePool +33
nodeName? *string +33
nodeSelector? *core/v1.NodeSelector +33
allNodes? *bool +33
devices [].Device +33-35
devices? [].Device +35
perDeviceNodeSelection? *bool +33
sharedCounters? [].CounterSet +33
partitionTypeAttribute? *.FullyQualifiedName +37
skipNodeOperations? [].SkipNodeOperation set +37
:SkipNodeOperation string
@runtime
!RawExtension
@scheduling/v1
#PriorityClass
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
value int32
globalDefault? bool
description? string
preemptionPolicy? *core/v1.PreemptionPolicy
#PriorityClassList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].PriorityClass
#WorkloadPodGroupAllDisruptionMode
#WorkloadPodGroupBasicSchedulingPolicy
#WorkloadPodGroupDisruptionMode
single? *.WorkloadPodGroupSingleDisruptionMode +38
all? *.WorkloadPodGroupAllDisruptionMode +38
#WorkloadPodGroupGangSchedulingPolicy
minCount? *int32 +38
#WorkloadPodGroupResourceClaim
name string def="" +38
resourceClaimName? *string +38
resourceClaimTemplateName? *string +38
#WorkloadPodGroupSchedulingConstraints
topology? [].WorkloadTopologyConstraint +38
#WorkloadPodGroupSchedulingPolicy
basic? *.WorkloadPodGroupBasicSchedulingPolicy +38
gang? *.WorkloadPodGroupGangSchedulingPolicy +38
#WorkloadPodGroupSingleDisruptionMode
#WorkloadTopologyConstraint
key string +38
@scheduling/v1alpha1
#BasicSchedulingPolicy
#GangSchedulingPolicy
minCount int32 +35-36
#PodGroup
name string def="" +35-36
policy .PodGroupPolicy +35-36
#PodGroupPolicy
basic? *.BasicSchedulingPolicy +35-36
gang? *.GangSchedulingPolicy +35-36
#PriorityClass
=TypeMeta meta/v1.TypeMeta -36
metadata? meta/v1.ObjectMeta -36
value int32 -36
globalDefault? bool -36
description? string -36
preemptionPolicy? *core/v1.PreemptionPolicy -36
#PriorityClassList
=TypeMeta meta/v1.TypeMeta -36
metadata? meta/v1.ListMeta -36
items [].PriorityClass -36
#TypedLocalObjectReference
apiGroup? string +35-36
kind string +35-36
name string +35-36
#Workload
=TypeMeta meta/v1.TypeMeta +35-36
metadata? meta/v1.ObjectMeta +35-36
spec .WorkloadSpec +35-36
#WorkloadList
=TypeMeta meta/v1.TypeMeta +35-36
metadata? meta/v1.ListMeta +35-36
items [].Workload +35-36
#WorkloadSpec
controllerRef? *.TypedLocalObjectReference +35-36
podGroups [].PodGroup by=name +35-36
@scheduling/v1alpha2
#BasicSchedulingPolicy
:DisruptionMode string
#GangSchedulingPolicy
minCount int32 +36-37
#PodGroup
=TypeMeta meta/v1.TypeMeta +36-37
metadata? meta/v1.ObjectMeta +36-37
spec .PodGroupSpec +36-37
status? .PodGroupStatus +36-37
#PodGroupList
=TypeMeta meta/v1.TypeMeta +36-37
metadata? meta/v1.ListMeta +36-37
items [].PodGroup +36-37
#PodGroupResourceClaim
name string def="" +36-37
resourceClaimName? *string +36-37
resourceClaimTemplateName? *string +36-37
#PodGroupResourceClaimStatus
name string def="" +36-37
resourceClaimName? *string +36-37
#PodGroupSchedulingConstraints
topology? [].TopologyConstraint +36-37
#PodGroupSchedulingPolicy
basic? *.BasicSchedulingPolicy +36-37
gang? *.GangSchedulingPolicy +36-37
#PodGroupSpec
podGroupTemplateRef *.PodGroupTemplateReference +36-37
schedulingPolicy .PodGroupSchedulingPolicy +36-37
schedulingConstraints? *.PodGroupSchedulingConstraints +36-37
resourceClaims? [].PodGroupResourceClaim by=name +36-37
disruptionMode? *.DisruptionMode +36-37
priorityClassName? string +36-37
priority? *int32 +36-37
#PodGroupStatus
conditions? []meta/v1.Condition by=type +36-37
resourceClaimStatuses? [].PodGroupResourceClaimStatus by=name +36-37
#PodGroupTemplate
name string def="" +36-37
schedulingPolicy .PodGroupSchedulingPolicy +36-37
schedulingConstraints *.PodGroupSchedulingConstraints +36-37
resourceClaims? [].PodGroupResourceClaim by=name +36-37
disruptionMode? *.DisruptionMode +36-37
priorityClassName? string +36-37
priority? *int32 +36-37
#PodGroupTemplateReference
workload *.WorkloadPodGroupTemplateReference +36-37
#TopologyConstraint
key string +36-37
#TypedLocalObjectReference
apiGroup? string +36-37
kind string +36-37
name string +36-37
#Workload
=TypeMeta meta/v1.TypeMeta +36-37
metadata? meta/v1.ObjectMeta +36-37
spec .WorkloadSpec +36-37
#WorkloadList
=TypeMeta meta/v1.TypeMeta +36-37
metadata? meta/v1.ListMeta +36-37
items [].Workload +36-37
#WorkloadPodGroupTemplateReference
workloadName string +36-37
podGroupTemplateName string +36-37
#WorkloadSpec
controllerRef? *.TypedLocalObjectReference +36-37
podGroupTemplates [].PodGroupTemplate by=name +36-37
@scheduling/v1alpha3
#AllCompositeDisruptionMode
#AllDisruptionMode
#BasicSchedulingPolicy
#CompositeBasicSchedulingPolicy
#CompositeDisruptionMode
single? *.SingleCompositeDisruptionMode +37
all? *.AllCompositeDisruptionMode +37
#CompositeGangSchedulingPolicy
minGroupCount int32 +37
#CompositePodGroup
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ObjectMeta +37
spec .CompositePodGroupSpec +37
status? .CompositePodGroupStatus +37
#CompositePodGroupList
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ListMeta +37
items [].CompositePodGroup +37
#CompositePodGroupSchedulingConstraints
topology? [].TopologyConstraint +37
#CompositePodGroupSchedulingPolicy
basic? *.CompositeBasicSchedulingPolicy +37
gang? *.CompositeGangSchedulingPolicy +37
#CompositePodGroupSpec
parentCompositePodGroupName? *string +37
workloadRef *.WorkloadReference +37
schedulingPolicy .CompositePodGroupSchedulingPolicy +37
schedulingConstraints? *.CompositePodGroupSchedulingConstraints +37
disruptionMode? *.CompositeDisruptionMode +37
priorityClassName? string +37
priority? *int32 +37
preemptionPolicy? *.PreemptionPolicy +37
#CompositePodGroupStatus
conditions? []meta/v1.Condition by=type +37
#CompositePodGroupTemplate
name string def="" +37
schedulingPolicy .CompositePodGroupSchedulingPolicy +37
schedulingConstraints? *.CompositePodGroupSchedulingConstraints +37
disruptionMode? *.CompositeDisruptionMode +37
priorityClassName? string +37
priority? *int32 +37
preemptionPolicy? *.PreemptionPolicy +37
podGroupTemplates? [].PodGroupTemplate by=name +37
compositePodGroupTemplates? [].CompositePodGroupTemplate by=name +37
#DisruptionMode
single? *.SingleDisruptionMode +37
all? *.AllDisruptionMode +37
#GangSchedulingPolicy
minCount int32 +37
#PodGroup
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ObjectMeta +37
spec .PodGroupSpec +37
status? .PodGroupStatus +37
#PodGroupList
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ListMeta +37
items [].PodGroup +37
#PodGroupResourceClaim
name string def="" +37
resourceClaimName? *string +37
resourceClaimTemplateName? *string +37
#PodGroupResourceClaimStatus
name string def="" +37
resourceClaimName? *string +37
#PodGroupSchedulingConstraints
topology? [].TopologyConstraint +37
#PodGroupSchedulingPolicy
basic? *.BasicSchedulingPolicy +37
gang? *.GangSchedulingPolicy +37
#PodGroupSpec
parentCompositePodGroupName? *string +37
workloadRef? *.WorkloadReference +37
schedulingPolicy .PodGroupSchedulingPolicy +37
schedulingConstraints? *.PodGroupSchedulingConstraints +37
resourceClaims? [].PodGroupResourceClaim by=name +37
disruptionMode? *.DisruptionMode +37
priorityClassName? string +37
priority? *int32 +37
preemptionPolicy? *.PreemptionPolicy +37
#PodGroupStatus
conditions? []meta/v1.Condition by=type +37
resourceClaimStatuses? [].PodGroupResourceClaimStatus by=name +37
#PodGroupTemplate
name string def="" +37
schedulingPolicy .PodGroupSchedulingPolicy +37
schedulingConstraints *.PodGroupSchedulingConstraints +37
resourceClaims? [].PodGroupResourceClaim by=name +37
disruptionMode? *.DisruptionMode +37
priorityClassName? string +37
priority? *int32 +37
preemptionPolicy? *.PreemptionPolicy +37
:PreemptionPolicy string
#SingleCompositeDisruptionMode
#SingleDisruptionMode
#TopologyConstraint
key string +37
#TypedLocalObjectReference
apiGroup? string +37
kind string +37
name string +37
#Workload
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ObjectMeta +37
spec .WorkloadSpec +37
#WorkloadList
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ListMeta +37
items [].Workload +37
#WorkloadPodGroupAllDisruptionMode
#WorkloadPodGroupBasicSchedulingPolicy
#WorkloadPodGroupDisruptionMode
single? *.WorkloadPodGroupSingleDisruptionMode +37-38
all? *.WorkloadPodGroupAllDisruptionMode +37-38
#WorkloadPodGroupGangSchedulingPolicy
minCount? *int32 +37-38
#WorkloadPodGroupResourceClaim
name string def="" +37-38
resourceClaimName? *string +37-38
resourceClaimTemplateName? *string +37-38
#WorkloadPodGroupSchedulingConstraints
topology? [].TopologyConstraint +37-38
#WorkloadPodGroupSchedulingPolicy
basic? *.WorkloadPodGroupBasicSchedulingPolicy +37-38
gang? *.WorkloadPodGroupGangSchedulingPolicy +37-38
#WorkloadPodGroupSingleDisruptionMode
#WorkloadReference
workloadName string +37
templateName string +37
#WorkloadSpec
controllerRef? *.TypedLocalObjectReference +37
podGroupTemplates [].PodGroupTemplate by=name +37
compositePodGroupTemplates? [].CompositePodGroupTemplate by=name +37
@scheduling/v1beta1
#AllCompositeDisruptionMode
#AllDisruptionMode
#BasicSchedulingPolicy
#CompositeBasicSchedulingPolicy
#CompositeDisruptionMode
single? *.SingleCompositeDisruptionMode +37
all? *.AllCompositeDisruptionMode +37
#CompositeGangSchedulingPolicy
minGroupCount int32 +37
#CompositePodGroup
=TypeMeta meta/v1.TypeMeta +38
metadata? meta/v1.ObjectMeta +38
spec .CompositePodGroupSpec +38
status? .CompositePodGroupStatus +38
#CompositePodGroupList
=TypeMeta meta/v1.TypeMeta +38
metadata? meta/v1.ListMeta +38
items [].CompositePodGroup +38
#CompositePodGroupSchedulingConstraints
topology? [].TopologyConstraint +37
#CompositePodGroupSchedulingPolicy
basic? *.CompositeBasicSchedulingPolicy +37
gang? *.CompositeGangSchedulingPolicy +37
#CompositePodGroupSpec
parentCompositePodGroupName? *string +38
workloadRef *.WorkloadReference +38
schedulingPolicy .CompositePodGroupSchedulingPolicy +38
schedulingConstraints? *.CompositePodGroupSchedulingConstraints +38
disruptionMode? *.CompositeDisruptionMode +38
priorityClassName? string +38
priority? *int32 +38
preemptionPolicy? *.PreemptionPolicy +38
#CompositePodGroupStatus
conditions? []meta/v1.Condition by=type +38
#CompositePodGroupTemplate
name string def="" +37
schedulingPolicy .CompositePodGroupSchedulingPolicy +37
schedulingConstraints? *.CompositePodGroupSchedulingConstraints +37
disruptionMode? *.CompositeDisruptionMode +37
priorityClassName? string +37
priority? *int32 +37
preemptionPolicy? *.PreemptionPolicy +37
podGroupTemplates? [].PodGroupTemplate by=name +37
compositePodGroupTemplates? [].CompositePodGroupTemplate by=name +37
#DisruptionMode
single? *.SingleDisruptionMode +37
all? *.AllDisruptionMode +37
#GangSchedulingPolicy
minCount int32 +37
#PodGroup
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ObjectMeta +37
spec .PodGroupSpec +37
status? .PodGroupStatus +37
#PodGroupList
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ListMeta +37
items [].PodGroup +37
#PodGroupResourceClaim
name string def="" +37
resourceClaimName? *string +37
resourceClaimTemplateName? *string +37
#PodGroupResourceClaimStatus
name string def="" +37
resourceClaimName? *string +37
#PodGroupSchedulingConstraints
topology? [].TopologyConstraint +37
#PodGroupSchedulingPolicy
basic? *.BasicSchedulingPolicy +37
gang? *.GangSchedulingPolicy +37
#PodGroupSpec
parentCompositePodGroupName? *string +37
workloadRef? *.WorkloadReference +37
schedulingPolicy .PodGroupSchedulingPolicy +37
schedulingConstraints? *.PodGroupSchedulingConstraints +37
resourceClaims? [].PodGroupResourceClaim by=name +37
disruptionMode? *.DisruptionMode +37
priorityClassName? string +37
priority? *int32 +37
preemptionPolicy? *.PreemptionPolicy +37
#PodGroupStatus
conditions? []meta/v1.Condition by=type +37
resourceClaimStatuses? [].PodGroupResourceClaimStatus by=name +37
#PodGroupTemplate
name string def="" +37
schedulingPolicy .PodGroupSchedulingPolicy +37
schedulingConstraints *.PodGroupSchedulingConstraints +37
resourceClaims? [].PodGroupResourceClaim by=name +37
disruptionMode? *.DisruptionMode +37
priorityClassName? string +37
priority? *int32 +37
preemptionPolicy? *.PreemptionPolicy +37
:PreemptionPolicy string
#PriorityClass
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
value int32
globalDefault? bool
description? string
preemptionPolicy? *core/v1.PreemptionPolicy
#PriorityClassList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].PriorityClass
#SingleCompositeDisruptionMode
#SingleDisruptionMode
#TopologyConstraint
key string +37
#TypedLocalObjectReference
apiGroup? string +37
kind string +37
name string +37
#Workload
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ObjectMeta +37
spec .WorkloadSpec +37
#WorkloadList
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ListMeta +37
items [].Workload +37
#WorkloadReference
workloadName string +37
templateName string +37
#WorkloadSpec
controllerRef? *.TypedLocalObjectReference +37
podGroupTemplates [].PodGroupTemplate by=name +37
compositePodGroupTemplates? [].CompositePodGroupTemplate by=name +37
@storage/v1
#CSIDriver
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .CSIDriverSpec
#CSIDriverList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].CSIDriver
#CSIDriverSpec
attachRequired? *bool
podInfoOnMount? *bool
volumeLifecycleModes? [].VolumeLifecycleMode set
storageCapacity? *bool
fsGroupPolicy? *.FSGroupPolicy
tokenRequests? [].TokenRequest
requiresRepublish? *bool
seLinuxMount? *bool
nodeAllocatableUpdatePeriodSeconds? *int64 +33
serviceAccountTokenInSecrets? *bool +35
preventPodSchedulingIfMissing? *bool +36
#CSINode
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .CSINodeSpec
status? .CSINodeStatus +37
#CSINodeDriver
name string def=""
nodeID string
topologyKeys []string
allocatable? *.VolumeNodeResources
#CSINodeList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].CSINode
#CSINodeSpec
drivers [].CSINodeDriver by=name
#CSINodeStatus
storageHealth? [].StorageHealth by=name +37
#CSIStorageCapacity
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
nodeTopology? *meta/v1.LabelSelector
storageClassName string
capacity? *resource.Quantity
maximumVolumeSize? *resource.Quantity
#CSIStorageCapacityList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].CSIStorageCapacity
:FSGroupPolicy string
#StorageClass
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
provisioner string
parameters? map[string]string
reclaimPolicy? *core/v1.PersistentVolumeReclaimPolicy
mountOptions? []string
allowVolumeExpansion? *bool
volumeBindingMode? *.VolumeBindingMode
allowedTopologies? []core/v1.TopologySelectorTerm
#StorageClassList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].StorageClass
#StorageHealth
name string def="" +37
healthConditions? [].StorageHealthCondition +37
#StorageHealthCondition
status .StorageHealthStatusType +37
reason string +37
message? string +37
accessMode? *core/v1.PersistentVolumeAccessMode +37
volumeMode? *core/v1.PersistentVolumeMode +37
lastTransitionTime? meta/v1.Time +37
:StorageHealthStatusType string
#TokenRequest
audience string
expirationSeconds? *int64
#VolumeAttachment
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .VolumeAttachmentSpec
status? .VolumeAttachmentStatus
#VolumeAttachmentList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].VolumeAttachment
#VolumeAttachmentSource
persistentVolumeName? *string
inlineVolumeSpec? *core/v1.PersistentVolumeSpec
#VolumeAttachmentSpec
attacher string
source .VolumeAttachmentSource
nodeName string
#VolumeAttachmentStatus
attached bool
attachmentMetadata? map[string]string
attachError? *.VolumeError
detachError? *.VolumeError
#VolumeAttributesClass
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ObjectMeta +34
driverName string +34
parameters? map[string]string +34
#VolumeAttributesClassList
=TypeMeta meta/v1.TypeMeta +34
metadata? meta/v1.ListMeta +34
items [].VolumeAttributesClass +34
:VolumeBindingMode string
#VolumeError
time? meta/v1.Time
message? string
errorCode? *int32 +33
:VolumeLifecycleMode string
#VolumeNodeResources
count? *int32
@storage/v1alpha1
#CSIStorageCapacity
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
nodeTopology? *meta/v1.LabelSelector
storageClassName string
capacity? *resource.Quantity
maximumVolumeSize? *resource.Quantity
#CSIStorageCapacityList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].CSIStorageCapacity
#VolumeAttachment
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .VolumeAttachmentSpec
status? .VolumeAttachmentStatus
#VolumeAttachmentList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].VolumeAttachment
#VolumeAttachmentSource
persistentVolumeName? *string
inlineVolumeSpec? *core/v1.PersistentVolumeSpec
#VolumeAttachmentSpec
attacher string
source .VolumeAttachmentSource
nodeName string
#VolumeAttachmentStatus
attached bool
attachmentMetadata? map[string]string
attachError? *.VolumeError
detachError? *.VolumeError
#VolumeAttributesClass
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
driverName string
parameters? map[string]string
#VolumeAttributesClassList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].VolumeAttributesClass
#VolumeError
time? meta/v1.Time
message? string
errorCode? *int32 +33
@storage/v1beta1
#CSIDriver
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .CSIDriverSpec
#CSIDriverList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].CSIDriver
#CSIDriverSpec
attachRequired? *bool
podInfoOnMount? *bool
volumeLifecycleModes? [].VolumeLifecycleMode
storageCapacity? *bool
fsGroupPolicy? *.FSGroupPolicy
tokenRequests? [].TokenRequest
requiresRepublish? *bool
seLinuxMount? *bool
nodeAllocatableUpdatePeriodSeconds? *int64 +33
serviceAccountTokenInSecrets? *bool +35
preventPodSchedulingIfMissing? *bool +36
#CSINode
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .CSINodeSpec
status? .CSINodeStatus +37
#CSINodeDriver
name string def=""
nodeID string
topologyKeys []string
allocatable? *.VolumeNodeResources
#CSINodeList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].CSINode
#CSINodeSpec
drivers [].CSINodeDriver by=name
#CSINodeStatus
storageHealth? [].StorageHealth by=name +37
#CSIStorageCapacity
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
nodeTopology? *meta/v1.LabelSelector
storageClassName string
capacity? *resource.Quantity
maximumVolumeSize? *resource.Quantity
#CSIStorageCapacityList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].CSIStorageCapacity
:FSGroupPolicy string
#StorageClass
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
provisioner string
parameters? map[string]string
reclaimPolicy? *core/v1.PersistentVolumeReclaimPolicy
mountOptions? []string
allowVolumeExpansion? *bool
volumeBindingMode? *.VolumeBindingMode
allowedTopologies? []core/v1.TopologySelectorTerm
#StorageClassList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].StorageClass
#StorageHealth
name string def="" +37
healthConditions? [].StorageHealthCondition +37
#StorageHealthCondition
status .StorageHealthStatusType +37
reason string +37
message? string +37
accessMode? *core/v1.PersistentVolumeAccessMode +37
volumeMode? *core/v1.PersistentVolumeMode +37
lastTransitionTime? meta/v1.Time +37
:StorageHealthStatusType string
#TokenRequest
audience string
expirationSeconds? *int64
#VolumeAttachment
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ObjectMeta
spec .VolumeAttachmentSpec
status? .VolumeAttachmentStatus
#VolumeAttachmentList
=TypeMeta meta/v1.TypeMeta
metadata? meta/v1.ListMeta
items [].VolumeAttachment
#VolumeAttachmentSource
persistentVolumeName? *string
inlineVolumeSpec? *core/v1.PersistentVolumeSpec
#VolumeAttachmentSpec
attacher string
source .VolumeAttachmentSource
nodeName string
#VolumeAttachmentStatus
attached bool
attachmentMetadata? map[string]string
attachError? *.VolumeError
detachError? *.VolumeError
#VolumeAttributesClass
=TypeMeta meta/v1.TypeMeta +31
metadata? meta/v1.ObjectMeta +31
driverName string +31
parameters? map[string]string +31
#VolumeAttributesClassList
=TypeMeta meta/v1.TypeMeta +31
metadata? meta/v1.ListMeta +31
items [].VolumeAttributesClass +31
:VolumeBindingMode string
#VolumeError
time? meta/v1.Time
message? string
errorCode? *int32 +33
:VolumeLifecycleMode string
#VolumeNodeResources
count? *int32
@storagemigration/v1
#StorageVersionMigration
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ObjectMeta +37
spec? .StorageVersionMigrationSpec +37
status? .StorageVersionMigrationStatus +37
#StorageVersionMigrationList
=TypeMeta meta/v1.TypeMeta +37
metadata? meta/v1.ListMeta +37
items [].StorageVersionMigration +37
#StorageVersionMigrationSpec
resource meta/v1.GroupResource +37
#StorageVersionMigrationStatus
conditions? []meta/v1.Condition by=type +37
resourceVersion? string +37
@storagemigration/v1alpha1
#GroupVersionResource
group? string -35
version? string -35
resource? string -35
#MigrationCondition
type .MigrationConditionType def="" -35
status core/v1.ConditionStatus -35
lastUpdateTime? meta/v1.Time -35
reason? string -35
message? string -35
:MigrationConditionType string
#StorageVersionMigration
=TypeMeta meta/v1.TypeMeta -35
metadata? meta/v1.ObjectMeta -35
spec? .StorageVersionMigrationSpec -35
status? .StorageVersionMigrationStatus -35
#StorageVersionMigrationList
=TypeMeta meta/v1.TypeMeta -35
metadata? meta/v1.ListMeta -35
items [].StorageVersionMigration -35
#StorageVersionMigrationSpec
resource .GroupVersionResource -35
continueToken? string -35
#StorageVersionMigrationStatus
conditions? [].MigrationCondition by=type -35
resourceVersion? string -35
@storagemigration/v1beta1
#StorageVersionMigration
=TypeMeta meta/v1.TypeMeta +35
metadata? meta/v1.ObjectMeta +35
spec? .StorageVersionMigrationSpec +35
status? .StorageVersionMigrationStatus +35
#StorageVersionMigrationList
=TypeMeta meta/v1.TypeMeta +35
metadata? meta/v1.ListMeta +35
items [].StorageVersionMigration +35
#StorageVersionMigrationSpec
resource meta/v1.GroupResource +35
#StorageVersionMigrationStatus
conditions? []meta/v1.Condition by=type +35
resourceVersion? string +35
@types
:NodeName string
:UID string
`;
