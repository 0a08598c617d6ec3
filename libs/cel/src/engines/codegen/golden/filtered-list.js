// size(self.ports.filter(p, p.name.startsWith('x-'))) <= self.replicas * 2
"use strict";
const k4 = K[0];
const k6 = K[1];
const k7 = K[2];
const k21 = K[3];
const k23 = K[4];
const k27 = K[5];
const k28 = K[6];
const k29 = K[7];
const k36 = K[8];
const k38 = K[9];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  let error1, out2;
  Failed0: {
    let count3 = 0;
    const found5 = self[k4];
    if (found5 === undefined || found5 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k7)) return undefined; cost += 1; error1 = k6; break Failed0; }
    if (!Array.isArray(found5)) return undefined;
    const count9 = found5.length;
    let error11;
    cost += 2;
    for (let index8 = 0; index8 < count9; ) {
      const index12 = index8;
      const count13 = Math.min(index12 + 100, count9);
      for (; index8 < count13; index8++) {
        const item14 = found5[index8];
        if (item14 === null) return undefined;
        let error16, out17;
        Failed15: {
          let error19, out20;
          Failed18: {
            const found22 = item14[k21];
            if ((typeof item14 !== "object" || Array.isArray(item14) || item14 instanceof k7)) return undefined;
            if (found22 === undefined || found22 === null) { error19 = k23; break Failed18; }
            if (typeof found22 !== "string") return undefined;
            out20 = found22;
          }
          if (error19 !== undefined) { cost += k28([error19, k27], error19, k29); error16 = error19; break Failed15; }
          out17 = (out20.length >= 2 && out20.charCodeAt(0) === 120 && out20.charCodeAt(1) === 45);
          cost += 1;
        }
        if (error16 !== undefined) error11 = error16;
        if (error16 === undefined && out17) {
          if ((typeof item14 !== "object" || Array.isArray(item14) || item14 instanceof k7)) return undefined;
          count3++;
          cost += 13;
        }
      }
      cost += 2 * (count13 - index12);
      if (cost > limit || token.cancelled) return undefined;
    }
    if (error11 !== undefined) { error1 = error11; break Failed0; }
    out2 = count3;
  }
  let error34, out35;
  Failed33: {
    const found37 = self[k36];
    if (found37 === undefined || found37 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k7)) return undefined; error34 = k38; break Failed33; }
    if (!Number.isInteger(found37)) return undefined;
    const value39 = found37 * 2 + 0;
    if (!Number.isSafeInteger(value39)) return undefined;
    out35 = value39;
  }
  if (error1 !== undefined || error34 !== undefined) { cost += 1; cost += 5; run.cost = cost; return error1 ?? error34; }
  cost += 6;
  run.cost = cost;
  return (out2 <= out35);
};
