// self.labels.all(k, k.matches('^[a-z]+$') && self.labels[k] != '')
"use strict";
const k0 = K[0];
const k2 = K[1];
const k3 = K[2];
const k19 = K[3];
const k20 = K[4];
const k21 = K[5];
const k24 = K[6];
const k25 = K[7];
const k27 = K[8];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  const found1 = self[k0];
  if (found1 === undefined || found1 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k3)) return undefined; cost += 2; run.cost = cost; return k2; }
  if (found1 === null || (typeof found1 !== "object" || Array.isArray(found1) || found1 instanceof k3)) return undefined;
  const list5 = Object.keys(found1);
  const count6 = list5.length;
  let test8 = true;
  let error9;
  cost += 2;
  Loop7: for (let index4 = 0; index4 < count6; ) {
    const index10 = index4;
    const count11 = Math.min(index10 + 100, count6);
    for (; index4 < count11; index4++) {
      const key12 = list5[index4];
      let error14, out15;
      Failed13: {
        cost += Math.ceil((1 + k21(key12)) * 0.1) * 2;
        let test22 = k19.test(key12);
        if (test22) {
          const found23 = self[k0];
          if (found23 === undefined || found23 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k3)) return undefined; cost += 2; error14 = k24; break Failed13; }
          if (found23 === null || (typeof found23 !== "object" || Array.isArray(found23) || found23 instanceof k3)) return undefined;
          const found26 = found23[key12];
          if (found26 === undefined) { cost += 3; error14 = k25(key12); break Failed13; }
          if (typeof found26 !== "string") return undefined;
          test22 = !(found26.length === 0 && found26 === k27);
          cost += 3;
        }
        out15 = test22;
      }
      if (error14 !== undefined) error9 ??= error14; else
      if (!out15) { test8 = !true; error9 = undefined; cost += 4 * (index4 + 1 - index10); if (index4 + 1 < count6) cost += 2; break Loop7; }
    }
    cost += 4 * (count11 - index10);
    if (cost > limit || token.cancelled) return undefined;
  }
  if (error9 !== undefined) { cost += 1; run.cost = cost; return error9; }
  cost += 1;
  run.cost = cost;
  return test8;
};
