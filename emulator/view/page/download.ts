/** Offers a file to be saved; nothing leaves the machine. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

export const saveText = (name: string, text: string, type = 'text/csv'): void =>
  saveFile(name, new Blob([text], { type }));

/** Dots of a drawing, so many for each of its points. */
export async function dotsOf(
  svg: string,
  { width, height, perPoint }: { width: number; height: number; perPoint: number },
): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.round(width * perPoint), Math.round(height * perPoint)];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the browser makes no PNG of this size'));
      else resolve(blob);
    }),
  );
}
