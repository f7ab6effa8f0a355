import * as fs from 'node:fs';
import { fromHex } from '../hex';
import { fixture } from '../paths';
import type { CodecName } from './codecs';

/** A worked example: consecutive headers of one packet, each with the fields that it must show. */
export interface Vector {
  readonly name: string;
  readonly checks?: readonly ('tcp' | 'inner-tcp' | 'udp' | 'icrc' | 'icrc-after-stripping')[];
  readonly parts: readonly VectorPart[];
}

export interface VectorPart {
  /** `raw` for bytes that no codec of ours reads, such as payloads. */
  readonly codec: CodecName | 'raw';
  readonly hex: string;
  readonly value?: object;
}

export const VECTORS = JSON.parse(
  fs.readFileSync(fixture('wire', 'vectors.json'), 'utf8'),
) as readonly Vector[];

export const vectorFrame = ({ parts }: Vector): Uint8Array =>
  fromHex(parts.map(({ hex }) => hex).join(''));

/** Offset of the first part of one of these codecs. */
export function offsetOf({ parts }: Vector, ...codecs: readonly string[]): number {
  const index = parts.findIndex(({ codec }) => codecs.includes(codec));
  if (index < 0) throw new Error(`no part ${codecs.join(' or ')}`);
  return parts.slice(0, index).reduce((sum, { hex }) => sum + hex.length / 2, 0);
}
