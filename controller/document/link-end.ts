/** One end of a link as the document has it. */
export interface EndText {
  readonly node: string;
  /** Hosts have one port, so it is not said. */
  readonly port: number | undefined;
}

/** Reads `s1:3`, or the name of a host. */
export function linkEnd(text: string): EndText {
  const [, node, digits] = /^(.+):(\d+)$/.exec(text) ?? [];
  if (node === undefined) return { node: text, port: undefined };
  return { node, port: Number(digits) };
}
