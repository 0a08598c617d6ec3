// {'a': self.replicas, ?'b': self.?minReplicas}.b > 0
"use strict";
const k0 = K[0];
const k2 = K[1];
const k4 = K[2];
const k6 = K[3];
const k7 = K[4];
const k8 = K[5];
const k9 = K[6];
const k12 = K[7];
const k15 = K[8];
const k16 = K[9];
const k18 = K[10];
const k19 = K[11];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  const map1 = new k0();
  const key3 = k2;
  const found5 = self[k4];
  if (found5 === undefined || found5 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k7)) return undefined; cost += 34; run.cost = cost; return k6; }
  if (!Number.isInteger(found5)) return undefined;
  if (k8(key3)) return undefined;
  map1.set(key3, found5);
  const key10 = k9;
  let out11;
  const found13 = self[k12];
  if (found13 !== undefined && found13 !== null) {
    if (!Number.isInteger(found13)) return undefined;
    out11 = found13;
    cost += 1;
  } else {
    if ((typeof self !== "object" || Array.isArray(self) || self instanceof k7)) return undefined;
  }
  if (k8(key10)) return undefined;
  if (out11 !== undefined) {
    map1.set(key10, out11);
  } else {
    map1.delete(key10);
  }
  const value14 = map1;
  if (value14 instanceof k15) return undefined;
  const found17 = k16(value14, k9, run);
  if (found17 instanceof k18) { cost += 36; run.cost = cost; return found17.error; }
  if (found17 instanceof k19) return undefined;
  if (typeof found17 !== "number") return undefined;
  cost += 36;
  run.cost = cost;
  return (found17 > 0);
};
