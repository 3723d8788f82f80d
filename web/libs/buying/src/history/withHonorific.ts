/** An addressee with the honorific 様, unless 様 or 御中 was typed. The PDF uses the same rule. */
export function withHonorific(addressee: string): string {
  return /(?:様|御中)$/.test(addressee) ? addressee : `${addressee} 様`;
}
