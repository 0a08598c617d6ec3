// (has(self.minReplicas) ? self.ports[0] : self.ports[1]).port == 80
"use strict";
const k0 = K[0];
const k2 = K[1];
const k5 = K[2];
const k7 = K[3];
const k8 = K[4];
const k11 = K[5];
const k13 = K[6];
const k15 = K[7];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  const found1 = self[k0];
  const test3 = !(found1 === undefined || found1 === null);
  if (test3) {
    if (!Number.isInteger(found1)) return undefined;
  } else {
    if ((typeof self !== "object" || Array.isArray(self) || self instanceof k2)) return undefined; 
  }
  let value4;
  if (test3) {
    const found6 = self[k5];
    if (found6 === undefined || found6 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k2)) return undefined; cost += 3; run.cost = cost; return k7; }
    if (!Array.isArray(found6)) return undefined;
    if (!(0 >= 0 && 0 < found6.length)) { cost += 4; run.cost = cost; return k8(0); }
    const item9 = found6[0];
    if (item9 === null) return undefined;
    value4 = item9;
  } else {
    const found10 = self[k5];
    if (found10 === undefined || found10 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k2)) return undefined; cost += 3; run.cost = cost; return k11; }
    if (!Array.isArray(found10)) return undefined;
    if (!(1 >= 0 && 1 < found10.length)) { cost += 4; run.cost = cost; return k8(1); }
    const item12 = found10[1];
    if (item12 === null) return undefined;
    value4 = item12;
  }
  const found14 = value4[k13];
  if (found14 === undefined || found14 === null) { if ((typeof value4 !== "object" || Array.isArray(value4) || value4 instanceof k2)) return undefined; cost += 5; run.cost = cost; return k15; }
  if (!Number.isInteger(found14)) return undefined;
  cost += 5;
  run.cost = cost;
  return (found14 === 80);
};
