import { payloadPath } from "@konomana/paths";

/**
 * Reads the data that was made beside a prerendered page; null where there is none. A server may
 * answer an unknown path with a page, so the content type decides.
 */
export async function readPayload<Data>(path: string, signal: AbortSignal): Promise<Data | null> {
  try {
    const response = await fetch(payloadPath(path), { signal });
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return response.ok && isJson ? ((await response.json()) as Data) : null;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
