import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { note, print } from '../../common/io/terminal';
import { dissectFrame } from '../../common/telemetry/craft/kinds';
import { layersDocument } from '../../common/telemetry/craft/document';
import type { LinkFrame } from '../../common/telemetry/decode/decode-capture';
import { captureBatches } from '../decode/frame-source';
import { countOption } from '../shared/option-values';

export function registerDissect(parent: Command): void {
  parent
    .command('dissect')
    .summary('print the frames of a capture as a document of layers')
    .description(
      'Prints a JSON document of which "hpcc int craft" makes the same frames, byte for byte. Fields that follow ' +
        'from others are there only where they are wrong. Headers that are damaged are payload, with a note.',
    )
    .argument('<capture>', 'capture file, or - for standard input')
    .option('-c, --count <n>', 'stop after so many frames', countOption)
    .action((capture: string, { count = Infinity }: { count?: number }) => dissect(capture, count));
}

/** Whatever ends the capture, what has been printed is a whole document; without frames there is none. */
async function dissect(capture: string, count: number): Promise<void> {
  let frames = 0;
  try {
    for await (const batch of captureBatches(capture)) {
      for (const frame of batch) {
        if (frames >= count) break;
        const layers = dissected(frame, `frame ${frames + 1}`);
        print(`${frames === 0 ? '{ "frames": [\n ' : ','} ${JSON.stringify({ layers })}`);
        frames += 1;
      }
      if (frames >= count) break;
    }
  } finally {
    if (frames > 0) print('] }');
  }
  if (frames === 0) throw new InputError(`${capture}: wanted frames, found none`);
}

/** Layers of a frame as the document has them; says what is not in them. */
function dissected(
  { bytes, linkType, originalLength }: LinkFrame,
  name: string,
): ReturnType<typeof layersDocument> {
  const { layers, faults, cutBytes } = dissectFrame(bytes, linkType);
  const missing = originalLength - bytes.length;
  if (missing > 0) note(`${name}: ${missing} bytes were not captured, and are not in its layers`);
  if (cutBytes === undefined)
    note(`${name}: trimmed: a switch has cut off payload; RoCEv2 does not say how many bytes`);
  else if (cutBytes > 0)
    note(`${name}: trimmed: a switch has cut off ${cutBytes} bytes of its payload`);
  for (const fault of faults) note(`${name}: ${fault.toString()}`);
  return layersDocument(layers);
}
