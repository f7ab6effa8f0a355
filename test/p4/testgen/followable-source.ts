import * as fs from 'node:fs';
import * as path from 'node:path';
import { p4SourceFolder } from '../../../common/io/p4-profiles';

/** Frames of one length, so that a parser can be told what an IP header says of it. */
export const FRAME_BYTES = 200;
const ETHERNET_BYTES = 14;
const IPV6_BYTES = 40;

const ASSUME = 'extern void testgen_assume(in bool check);\n';
const V4 = `testgen_assume(hdr.ipv4.total_len == ${FRAME_BYTES - ETHERNET_BYTES});`;
const V6 = `testgen_assume(hdr.ipv6.payload_length == ${FRAME_BYTES - ETHERNET_BYTES - IPV6_BYTES});`;

/**
 * Copies p4src to a folder and changes there what p4testgen cannot follow in programs for TNA: the result of
 * a checksum's verification, which it holds to be anything, and action selectors, which it leaves empty. And the
 * lengths of IP headers are those of the frame, since ingress of TNA does not judge them and v1model does.
 */
export function copyForTestgen(program: string, folder: string): void {
  fs.cpSync(p4SourceFolder(), folder, { recursive: true });
  const tofino = path.join(folder, 'tofino');
  for (const name of fs.readdirSync(tofino, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.p4')) edit(path.join(tofino, name), followable);
  }
  edit(path.join(folder, program), (text) => {
    const last = [...text.matchAll(/^#include <.*>$/gm)].at(-1);
    const end = (last?.index ?? 0) + (last?.[0].length ?? 0) + 1;
    return text.slice(0, end) + ASSUME + text.slice(end);
  });
}

const followable = (text: string): string =>
  text
    .replaceAll('verification.verify()', 'false')
    .replaceAll(/^.*implementation = .*\n/gm, '')
    .replaceAll(/^.*: selector;\n/gm, '')
    .replaceAll('packet.extract(hdr.ipv4);', `packet.extract(hdr.ipv4); ${V4}`)
    .replaceAll('packet.extract(hdr.ipv6);', `packet.extract(hdr.ipv6); ${V6}`);

function edit(file: string, change: (text: string) => string): void {
  const before = fs.readFileSync(file, 'utf8');
  const after = change(before);
  if (after !== before) fs.writeFileSync(file, after);
}
