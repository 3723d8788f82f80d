const NAME = "konomana.exam-check";
const STORE = "test";

/** A blocked database never responds, so after this the storage counts as refused. */
const TIMEOUT_MS = 10_000;

/** Whether the browser has a database for the answers. */
export function hasDatabase(): boolean {
  return "indexedDB" in globalThis;
}

/**
 * Whether IndexedDB, which keeps the answers of an exam, returns what was written to the disk to a
 * connection that is opened afterwards.
 */
export async function keepsAnswers(): Promise<boolean> {
  const text = crypto.randomUUID();
  const tested = (async () => {
    await withDatabase((database) => write(database, text));
    return (await withDatabase(read)) === text;
  })().catch(() => false);
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), TIMEOUT_MS));
  try {
    return await Promise.race([tested, late]);
  } finally {
    deleteDatabase();
  }
}

/** Deletes the test's database. An open connection of a late test ends with the page. */
function deleteDatabase(): void {
  try {
    if (hasDatabase()) indexedDB.deleteDatabase(NAME);
  } catch {
    // A browser that refuses storage may refuse this too.
  }
}

async function withDatabase<Value>(
  action: (database: IDBDatabase) => Promise<Value>,
): Promise<Value> {
  const request = indexedDB.open(NAME, 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE));
  const database = await settle(request);
  try {
    return await action(database);
  } finally {
    database.close();
  }
}

function write(database: IDBDatabase, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () => reject(transaction.error as Error));
    transaction.objectStore(STORE).put(text, 0);
  });
}

const read = (database: IDBDatabase): Promise<unknown> =>
  settle(database.transaction(STORE).objectStore(STORE).get(0));

function settle<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error as Error));
  });
}
