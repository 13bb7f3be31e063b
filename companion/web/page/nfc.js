// Web NFC: what is missing for it, and what a tag says. Chrome on Android has it; it needs an encrypted connection.

const IN_APP = /FBAN|FBAV|FB_IAB|Instagram|Line\/|Snapchat|; wv\)/;
const WRONG = { NotAllowedError: "nfc denied", NotSupportedError: "no nfc", NotReadableError: "nfc off" };

// What is missing for Web NFC, by the name of its advice; "" if nothing is.
function missing() {
  const agent = navigator.userAgent;
  if (IN_APP.test(agent)) return "in app";
  if (/iPhone|iPad|iPod/.test(agent)) return "iphone";
  if (!isSecureContext) return "no https";
  if (!("NDEFReader" in window)) return /Android/.test(agent) ? "no web nfc" : "no nfc";
  return "";
}

// Its number, and what is written on it.
function tagOf({ serialNumber, message }) {
  const uid = (serialNumber ?? "").replace(/[^0-9a-f]/gi, "").toUpperCase().slice(0, 20);
  const texts = [...(message?.records ?? [])].filter((each) => each.recordType === "text");
  const text = texts.length ? new TextDecoder(texts[0].encoding ?? "utf-8").decode(texts[0].data) : "";
  return { uid, text: text.slice(0, 200) };
}

// Reads until `signal` aborts. Throws the name of what is wrong.
export async function scan(signal, touched, unreadable) {
  const lack = missing();
  if (lack) throw lack;
  try {
    const reader = new NDEFReader();
    reader.onreading = (event) => touched(tagOf(event), reader);
    reader.onreadingerror = unreadable;
    await reader.scan({ signal });
  } catch (error) {
    throw WRONG[error.name] ?? "nfc failed";
  }
}
