// Prints the telemetry in the packets of a capture: one line per link that a packet crossed.
//   node build/decode-int.mjs int.pcap
import { readFileSync } from 'node:fs';
import { decodeCapture, WireFault } from 'hpcc-plus-plus/telemetry';

const file = process.argv[2] ?? 'int.pcap';
for (const { frame, decoded } of decodeCapture(readFileSync(file), { format: 'int', name: file })) {
  if (decoded instanceof WireFault) {
    console.log(`frame ${frame}: damaged, ${decoded}`);
    continue;
  }
  for (const found of decoded.telemetry) {
    if ('fault' in found) console.log(`frame ${frame}: no INT, ${found.fault}`);
    else for (const hop of found.hops) console.log(`frame ${frame}:`, hop);
  }
}
