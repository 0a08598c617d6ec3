// self.labels.all(k, k.matches('^[a-z]+$') && self.labels[k] != '')
"use strict";
const k0 = K[0];
const k2 = K[1];
const k3 = K[2];
const k18 = K[3];
const k19 = K[4];
const k22 = K[5];
const k23 = K[6];
const k25 = K[7];
return function rule(self, oldSelf, limit, flag, cell) {
  let cost = 0;
  if (typeof self !== "object" || self === null) return undefined;
  const found1 = self[k0];
  if (found1 === undefined || found1 === null) { if ((Array.isArray(self) || self instanceof k3)) return undefined; cost += 2; cell.cost = cost; return k2; }
  if (typeof found1 !== "object" || found1 === null || (Array.isArray(found1) || found1 instanceof k3)) return undefined;
  const list5 = Object.keys(found1);
  const count6 = list5.length;
  let test8 = true;
  let error9;
  cost += 2;
  Loop7: for (let index4 = 0; index4 < count6; ) {
    const count10 = Math.min(index4 + 100, count6);
    for (; index4 < count10; index4++) {
      const key11 = list5[index4];
      let error13, out14;
      Failed12: {
        cost += k19(key11, 2);
        let test20 = k18.test(key11);
        if (test20) {
          const found21 = self[k0];
          if (found21 === undefined || found21 === null) { if ((Array.isArray(self) || self instanceof k3)) return undefined; cost += 2; error13 = k22; break Failed12; }
          if (typeof found21 !== "object" || found21 === null || (Array.isArray(found21) || found21 instanceof k3)) return undefined;
          const found24 = found21[key11];
          if (found24 === undefined) { cost += 3; error13 = k23(key11); break Failed12; }
          if (typeof found24 !== "string") return undefined;
          test20 = !(found24.length === 0 && found24 === k25);
          cost += 3;
        }
        out14 = test20;
      }
      cost += 4;
      if (error13 !== undefined) error9 ??= error13; else
      if (!out14) { test8 = !true; error9 = undefined; if (index4 + 1 < count6) cost += 2; break Loop7; }
    }
    if (cost > limit || Atomics.load(flag, 0) !== 0) return undefined;
  }
  if (error9 !== undefined) { cost += 1; cell.cost = cost; return error9; }
  cost += 1;
  cell.cost = cost;
  return test8;
};
