// self.?mode.optMap(m, m.size() + m.size()).orValue(0) > 2
"use strict";
const k1 = K[0];
const k3 = K[1];
const k15 = K[2];
const k16 = K[3];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  let out0;
  const found2 = self[k1];
  if (found2 !== undefined && found2 !== null) {
    if (typeof found2 !== "string") return undefined;
    out0 = found2;
    cost += 1;
  } else {
    if ((typeof self !== "object" || Array.isArray(self) || self instanceof k3)) return undefined;
  }
  let value4;
  if ((out0 !== undefined)) {
    let value5;
    let error6;
    let error8, out9;
    Failed7: {
      let error11, out12;
      Failed10: {
        let out13;
        const found14 = self[k1];
        if (found14 !== undefined && found14 !== null) {
          if (typeof found14 !== "string") return undefined;
          out13 = found14;
          cost += 1;
        } else {
          if ((typeof self !== "object" || Array.isArray(self) || self instanceof k3)) return undefined;
        }
        if (out13 === undefined) { error11 = k15; break Failed10; }
        out12 = out13;
      }
      error6 = error11;
      value5 = out12;
      if (error6 !== undefined) { error8 = error6; break Failed7; }
      const value17 = k16(value5);
      out9 = value17;
    }
    let error19, out20;
    Failed18: {
      if (value5 === undefined && error6 === undefined) {
        let error22, out23;
        Failed21: {
          let out24;
          const found25 = self[k1];
          if (found25 !== undefined && found25 !== null) {
            if (typeof found25 !== "string") return undefined;
            out24 = found25;
            cost += 1;
          } else {
            if ((typeof self !== "object" || Array.isArray(self) || self instanceof k3)) return undefined;
          }
          if (out24 === undefined) { error22 = k15; break Failed21; }
          out23 = out24;
        }
        error6 = error22;
        value5 = out23;
        cost += 2;
      }
      if (error6 !== undefined) { error19 = error6; break Failed18; }
      const value26 = k16(value5);
      out20 = value26;
    }
    if (error8 !== undefined || error19 !== undefined) { cost += 1; cost += 10; run.cost = cost; return error8 ?? error19; }
    const value27 = out9 + out20;
    if (!Number.isSafeInteger(value27)) return undefined;
    value4 = value27;
    cost += 7;
  } else {
    value4 = undefined;
  }
  let value28;
  
  
  if (value4 !== undefined) {
    value28 = value4;
  } else {
    value28 = 0;
  }
  cost += 4;
  run.cost = cost;
  return (value28 > 2);
};
