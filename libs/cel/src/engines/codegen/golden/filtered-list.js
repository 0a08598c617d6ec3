// size(self.ports.filter(p, p.name.startsWith('x-'))) <= self.replicas * 2
"use strict";
const k3 = K[0];
const k5 = K[1];
const k6 = K[2];
const k21 = K[3];
const k23 = K[4];
const k27 = K[5];
const k28 = K[6];
const k29 = K[7];
const k33 = K[8];
const k34 = K[9];
const k38 = K[10];
const k40 = K[11];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  let error1, out2;
  Failed0: {
    const found4 = self[k3];
    if (found4 === undefined || found4 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k6)) return undefined; cost += 1; error1 = k5; break Failed0; }
    if (!Array.isArray(found4)) return undefined;
    const count8 = found4.length;
    const out10 = [];
    let error11;
    cost += 2;
    for (let index7 = 0; index7 < count8; ) {
      const index12 = index7;
      const count13 = Math.min(index12 + 100, count8);
      for (; index7 < count13; index7++) {
        const item14 = found4[index7];
        if (item14 === null) return undefined;
        let error16, out17;
        Failed15: {
          let error19, out20;
          Failed18: {
            const found22 = item14[k21];
            if ((typeof item14 !== "object" || Array.isArray(item14) || item14 instanceof k6)) return undefined;
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
          if ((typeof item14 !== "object" || Array.isArray(item14) || item14 instanceof k6)) return undefined;
          out10.push(new k33(item14, k34));
          cost += 13;
        }
      }
      cost += 2 * (count13 - index12);
      if (cost > limit || token.cancelled) return undefined;
    }
    if (error11 !== undefined) { error1 = error11; break Failed0; }
    out2 = out10.length;
  }
  let error36, out37;
  Failed35: {
    const found39 = self[k38];
    if (found39 === undefined || found39 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k6)) return undefined; error36 = k40; break Failed35; }
    if (!Number.isInteger(found39)) return undefined;
    const value41 = found39 * 2 + 0;
    if (!Number.isSafeInteger(value41)) return undefined;
    out37 = value41;
  }
  if (error1 !== undefined || error36 !== undefined) { cost += 1; cost += 5; run.cost = cost; return error1 ?? error36; }
  cost += 6;
  run.cost = cost;
  return (out2 <= out37);
};
