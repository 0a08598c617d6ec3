// self.all(p, p.port > 0 && p.port < 65536)
"use strict";
const k14 = K[0];
const k16 = K[1];
const k17 = K[2];
const k23 = K[3];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (!Array.isArray(self)) return undefined;
  const count1 = self.length;
  let test3 = true;
  let error4;
  cost += 1;
  Loop2: for (let index0 = 0; index0 < count1; ) {
    const index5 = index0;
    const count6 = Math.min(index5 + 100, count1);
    for (; index0 < count6; index0++) {
      const item7 = self[index0];
      if (item7 === null) return undefined;
      let error9, out10;
      Failed8: {
        let error12, out13;
        Failed11: {
          const found15 = item7[k14];
          if (found15 === undefined || found15 === null) { if ((typeof item7 !== "object" || Array.isArray(item7) || item7 instanceof k17)) return undefined; error12 = k16; break Failed11; }
          if (!Number.isInteger(found15)) return undefined;
          out13 = (found15 > 0);
        }
        let test18 = out13;
        if (error12 !== undefined || test18) {
          let error20, out21;
          Failed19: {
            const found22 = item7[k14];
            if (found22 === undefined || found22 === null) { if ((typeof item7 !== "object" || Array.isArray(item7) || item7 instanceof k17)) return undefined; error20 = k23; break Failed19; }
            if (!Number.isInteger(found22)) return undefined;
            out21 = (found22 < 65536);
          }
          test18 = out21;
          if (error20 === undefined && !out21) error12 = undefined; else error12 ??= error20;
          if (error12 !== undefined) { cost += 3; error9 = error12; break Failed8; }
          cost += 3;
        }
        out10 = test18;
      }
      if (error9 !== undefined) error4 ??= error9; else
      if (!out10) { test3 = !true; error4 = undefined; cost += 6 * (index0 + 1 - index5); if (index0 + 1 < count1) cost += 2; break Loop2; }
    }
    cost += 6 * (count6 - index5);
    if (cost > limit || token.cancelled) return undefined;
  }
  if (error4 !== undefined) { cost += 1; run.cost = cost; return error4; }
  cost += 1;
  run.cost = cost;
  return test3;
};
