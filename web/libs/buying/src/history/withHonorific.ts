/** An addressee as a receipt names them: with 様, unless 様 or 御中 was typed. The PDF says the same. */
export function withHonorific(addressee: string): string {
  return /(?:様|御中)$/.test(addressee) ? addressee : `${addressee} 様`;
}
