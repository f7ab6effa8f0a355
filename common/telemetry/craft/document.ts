import { z } from 'zod';
import { parseLocated } from '../../document/located-document';
import type { LocatedDocument } from '../../document/located-document';
import type { DocumentPath } from '../../document/schema-faults';
import type { CaptureTime } from '../../wire/capture/records';
import { LayerError } from './values';
import { checkLayers, craftFrame, linkTypeOf } from './kinds';
import type { AnyLayer } from './layer';

/** A crafted frame and the time that captures give it. */
export interface CraftedFrame {
  readonly bytes: Uint8Array;
  readonly linkType: number;
  readonly time: CaptureTime;
}

const FRAME = z.strictObject({
  layers: z.array(z.unknown()).min(1),
  /** So many of the same frame. */
  count: z.int().min(1).max(1_000_000).default(1),
  /** Time between one of them and the next. */
  intervalNs: z.int().min(0).default(1000),
});

const STACK = z.array(z.unknown()).min(1);
const FRAMES = z.strictObject({ frames: z.array(FRAME).min(1) });

type Frame = z.infer<typeof FRAME>;

/** Bytes of all frames of a document: captures of them are made in memory. */
const BYTES_MAX = 100_000_000;

const NS_PER_SECOND = 1_000_000_000;

/**
 * Frames of a document: a list of layers, or `frames`, each with `layers` and, if it is to be there more than once,
 * `count` and `intervalNs`.
 *
 * @param file what messages call the document.
 * @throws InputError with file, line and path: what was expected and what to do.
 */
export function* craftDocument(text: string, file: string): Generator<CraftedFrame> {
  const { given, frames, root } = readDocument(text, file);
  const made = frames.map(({ layers }, i) => {
    const path = root(i);
    return located(given, path, () => {
      const checked = checkLayers(layers);
      return { bytes: craftFrame(checked), linkType: linkTypeOf(checked) };
    });
  });
  const bytes = frames.reduce((sum, { count }, i) => sum + count * (made[i]?.bytes.length ?? 0), 0);
  if (bytes > BYTES_MAX) {
    const wanted = `wanted at most ${BYTES_MAX / 1e6} MB of frames`;
    throw given.fault(['frames'], `${wanted}, found ${Math.ceil(bytes / 1e6)}: lower count`);
  }
  let ns = 0;
  for (const [i, { count, intervalNs }] of frames.entries()) {
    for (let n = 0; n < count; n++) {
      const frame = made[i] as Omit<CraftedFrame, 'time'>;
      const time = { seconds: Math.floor(ns / NS_PER_SECOND), nanoseconds: ns % NS_PER_SECOND };
      yield { ...frame, time };
      ns += intervalNs;
    }
  }
}

interface Read {
  readonly given: LocatedDocument<unknown>;
  readonly frames: readonly Frame[];
  /** Path to the layers of a frame. */
  readonly root: (frame: number) => DocumentPath;
}

function readDocument(text: string, file: string): Read {
  const given = parseLocated(text, file, z.unknown(), 'document');
  if (!Array.isArray(given.value) && !hasFrames(given.value)) {
    throw given.fault([], 'wanted a list of layers, or "frames:" with a list of "layers:" each');
  }
  if (Array.isArray(given.value)) {
    const { value: layers } = parseLocated(text, file, STACK, 'document');
    return { given, frames: [{ layers, count: 1, intervalNs: 1000 }], root: () => [] };
  }
  const { frames } = parseLocated(text, file, FRAMES, 'document').value;
  return { given, frames, root: (frame) => ['frames', frame, 'layers'] };
}

const hasFrames = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'frames' in value;

function located<T>(given: LocatedDocument<unknown>, path: DocumentPath, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof LayerError)) throw error;
    throw given.fault([...path, ...error.path], error.sentence);
  }
}

/** Layers as documents have them: `{ udp: { sourcePort: 1 } }`. */
export const layersDocument = (layers: readonly AnyLayer[]): unknown[] =>
  layers.map(({ kind, ...fields }) => ({ [kind]: nested(fields) }));

/** Reports have layers of their own. */
function nested(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nested);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'layers' ? layersDocument(part as readonly AnyLayer[]) : nested(part),
    ]),
  );
}
