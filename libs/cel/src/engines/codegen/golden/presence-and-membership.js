// !has(self.mode) || self.mode in ['Blue', 'Green']
"use strict";
const k3 = K[0];
const k5 = K[1];
const k9 = K[2];
const k10 = K[3];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  const found4 = self[k3];
  const test6 = !(found4 === undefined || found4 === null);
  if (test6) {
    if (typeof found4 !== "string") return undefined;
  } else {
    if ((typeof self !== "object" || Array.isArray(self) || self instanceof k5)) return undefined; 
  }
  let test7 = !test6;
  if (!test7) {
    const found8 = self[k3];
    if (found8 === undefined || found8 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k5)) return undefined; cost += 4; run.cost = cost; return k9; }
    if (typeof found8 !== "string") return undefined;
    test7 = k10.has(found8);
    cost += 2;
  }
  cost += 2;
  run.cost = cost;
  return test7;
};
