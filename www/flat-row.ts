/** The second row of guidance that needs no source: all logits equal. */
export const FLAT_ROW = "flat";
