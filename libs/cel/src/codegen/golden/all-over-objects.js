// self.all(p, p.port > 0 && p.port < 65536)
"use strict";
const k13 = K[0];
const k15 = K[1];
const k16 = K[2];
const k22 = K[3];
return function rule(self, oldSelf, limit, flag, cell) {
  let cost = 0;
  if (!Array.isArray(self)) return undefined;
  const count1 = self.length;
  let test3 = true;
  let error4;
  cost += 1;
  Loop2: for (let index0 = 0; index0 < count1; ) {
    const count5 = Math.min(index0 + 100, count1);
    for (; index0 < count5; index0++) {
      const item6 = self[index0];
      if (typeof item6 !== "object" || item6 === null) return undefined;
      let error8, out9;
      Failed7: {
        let error11, out12;
        Failed10: {
          const found14 = item6[k13];
          if (found14 === undefined || found14 === null) { if ((Array.isArray(item6) || item6 instanceof k16)) return undefined; error11 = k15; break Failed10; }
          if (!Number.isInteger(found14)) return undefined;
          out12 = (found14 > 0);
        }
        let test17 = out12;
        if (error11 !== undefined || test17) {
          let error19, out20;
          Failed18: {
            const found21 = item6[k13];
            if (found21 === undefined || found21 === null) { if ((Array.isArray(item6) || item6 instanceof k16)) return undefined; error19 = k22; break Failed18; }
            if (!Number.isInteger(found21)) return undefined;
            out20 = (found21 < 65536);
          }
          test17 = out20;
          if (error19 === undefined && !out20) error11 = undefined; else error11 ??= error19;
          if (error11 !== undefined) { cost += 3; error8 = error11; break Failed7; }
          cost += 3;
        }
        out9 = test17;
      }
      cost += 6;
      if (error8 !== undefined) error4 ??= error8; else
      if (!out9) { test3 = !true; error4 = undefined; if (index0 + 1 < count1) cost += 2; break Loop2; }
    }
    if (cost > limit || Atomics.load(flag, 0) !== 0) return undefined;
  }
  if (error4 !== undefined) { cost += 1; cell.cost = cost; return error4; }
  cost += 1;
  cell.cost = cost;
  return test3;
};
