import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

/** Keeps generated text that does not compile, as evidence of a defect; returns where it is. */
export function keepText(programName: string, text: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-generated-'));
  const file = path.join(folder, `${path.basename(programName)}.js`);
  fs.writeFileSync(file, text);
  return file;
}
