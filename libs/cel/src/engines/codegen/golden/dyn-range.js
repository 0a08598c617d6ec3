// dyn(self.ports).all(p, p.port > 0)
"use strict";
const k0 = K[0];
const k2 = K[1];
const k3 = K[2];
const k4 = K[3];
const k5 = K[4];
const k6 = K[5];
const k8 = K[6];
const k10 = K[7];
const k12 = K[8];
const k24 = K[9];
const k26 = K[10];
const k27 = K[11];
const k29 = K[12];
const k30 = K[13];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  const found1 = self[k0];
  if (found1 === undefined || found1 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k3)) return undefined; cost += 3; run.cost = cost; return k2; }
  if (!Array.isArray(found1)) return undefined;
  const value7 = new k4(found1, k5, k6);
  const value9 = k8(value7);
  if (value9 instanceof k10) { cost += 3; run.cost = cost; return value9; }
  const value13 = k12(run, value9);
  if (value13 instanceof k10) { cost += 3; run.cost = cost; return value13; }
  const count14 = value13.first.length;
  let test16 = true;
  let error17;
  cost += 3;
  Loop15: for (let index11 = 0; index11 < count14; ) {
    const index18 = index11;
    const count19 = Math.min(index18 + 100, count14);
    for (; index11 < count19; index11++) {
      const item20 = value13.first[index11];
      if (item20 instanceof k10) return undefined;
      let error22, out23;
      Failed21: {
        const value25 = item20;
        if (value25 instanceof k26) return undefined;
        const found28 = k27(value25, k24, run);
        if (found28 instanceof k29) { error22 = found28.error; break Failed21; }
        if (found28 instanceof k10) return undefined;
        const value31 = k30([found28, 0], run);
        if (value31 instanceof k10) { error22 = value31; break Failed21; }
        if (typeof value31 !== "boolean") return undefined;
        out23 = value31;
      }
      if (error22 !== undefined) error17 ??= error22; else
      if (!out23) { test16 = !true; error17 = undefined; cost += 6 * (index11 + 1 - index18); if (index11 + 1 < count14) cost += 2; break Loop15; }
    }
    cost += 6 * (count19 - index18);
    if (cost > limit || token.cancelled) return undefined;
  }
  if (error17 !== undefined) { cost += 1; run.cost = cost; return error17; }
  cost += 1;
  run.cost = cost;
  return test16;
};
