type Files = Readonly<Record<string, string>>;

const PROGRAMS = new Map<string, Files>();

declare global {
  /** Called by the scripts of programs. */
  var hpccProgram: ((name: string, files: Files) => void) | undefined;
}

/**
 * The files of a compiled P4 program, from a script beside the page. A page that was opened from a file may
 * read no other file, but may run its scripts.
 */
export function loadProgram(name: string): Promise<Files> {
  globalThis.hpccProgram ??= (loaded, files) => PROGRAMS.set(loaded, files);
  const found = PROGRAMS.get(name);
  if (found !== undefined) return Promise.resolve(found);
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const failed = (): void =>
      reject(new Error(`programs/${name}.js, beside this page, could not be loaded`));
    script.src = `programs/${name}.js`;
    script.onload = () => {
      const files = PROGRAMS.get(name);
      if (files === undefined) failed();
      else resolve(files);
    };
    script.onerror = failed;
    document.head.append(script);
  });
}
