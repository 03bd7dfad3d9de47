/** What of a sampler can be asked from another thread. */
export const askedNames = [
  "sample",
  "sampleDetailed",
  "sampleMany",
  "sampleBatch",
  "rowErrors",
  "distribution",
  "report",
  "explain",
  "logprobs",
  "accept",
  "prompt",
  "options",
  "rowOptions",
  "update",
  "addRow",
  "removeRow",
  "state",
  "reset",
] as const;

export type AskedName = (typeof askedNames)[number];
