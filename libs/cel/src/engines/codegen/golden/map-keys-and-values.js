// self.labels.all(k, k.matches('^[a-z]+$') && self.labels[k] != '')
"use strict";
const k0 = K[0];
const k2 = K[1];
const k3 = K[2];
const k5 = K[3];
const k20 = K[4];
const k21 = K[5];
const k22 = K[6];
const k25 = K[7];
const k26 = K[8];
const k28 = K[9];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  const found1 = self[k0];
  if (found1 === undefined || found1 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k3)) return undefined; cost += 2; run.cost = cost; return k2; }
  if (found1 === null || (typeof found1 !== "object" || Array.isArray(found1) || found1 instanceof k3)) return undefined;
  const list6 = k5(found1);
  const count7 = list6.length;
  let test9 = true;
  let error10;
  cost += 2;
  Loop8: for (let index4 = 0; index4 < count7; ) {
    const index11 = index4;
    const count12 = Math.min(index11 + 100, count7);
    for (; index4 < count12; index4++) {
      const key13 = list6[index4];
      let error15, out16;
      Failed14: {
        cost += Math.ceil((1 + k22(key13)) * 0.1) * 2;
        let test23 = k20.test(key13);
        if (test23) {
          const found24 = self[k0];
          if (found24 === undefined || found24 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k3)) return undefined; cost += 2; error15 = k25; break Failed14; }
          if (found24 === null || (typeof found24 !== "object" || Array.isArray(found24) || found24 instanceof k3)) return undefined;
          const found27 = found24[key13];
          if (found27 === undefined) { cost += 3; error15 = k26(key13); break Failed14; }
          if (typeof found27 !== "string") return undefined;
          test23 = !(found27.length === 0 && found27 === k28);
          cost += 3;
        }
        out16 = test23;
      }
      if (error15 !== undefined) error10 ??= error15; else
      if (!out16) { test9 = !true; error10 = undefined; cost += 4 * (index4 + 1 - index11); if (index4 + 1 < count7) cost += 2; break Loop8; }
    }
    cost += 4 * (count12 - index11);
    if (cost > limit || token.cancelled) return undefined;
  }
  if (error10 !== undefined) { cost += 1; run.cost = cost; return error10; }
  cost += 1;
  run.cost = cost;
  return test9;
};
