//! Packages encoded pictures as HLS with CMAF: an init segment, numbered segments of some seconds, and
//! playlists.

use std::fmt::Write as _;
use std::sync::Arc;

use mp4_atom::{
    Avc1, Avcc, Codec, Dinf, Dref, DrefEntry, Encode as _, FourCC, Ftyp, Hdlr, Mdhd, Mdia, Mfhd, Minf, Moof,
    Moov, Mvex, Mvhd, Stbl, Stco, Stsd, Styp, Tfdt, Tfhd, Tkhd, Traf, Trak, Trex, Trun, TrunEntry,
    TrunSamples, Url, Visual, Vmhd,
};

use crate::Outcome;
use crate::plan::Slide;
use crate::video::{Encoded, Rendition, SEGMENT, Stills};

/// Ticks in a second.
const TIMESCALE: u32 = 1000;
/// Sample flags of a key frame.
const SYNC: u32 = 0x0200_0000;
/// Sample flags of a frame that depends on earlier ones.
const NOT_SYNC: u32 = 0x0101_0000;
const TRACK: u32 = 1;

/// A video in one size: its files, and its attributes in the multivariant playlist.
pub(crate) struct Stream {
    pub(crate) rendition: Rendition,
    pub(crate) init: Vec<u8>,
    pub(crate) segments: Vec<Vec<u8>>,
    pub(crate) playlist: String,
    codecs: String,
    /// Peak and average bit rate.
    peak: u64,
    mean: u64,
}

/// Packages the video of `slides`, each with its picture.
pub(crate) fn stream(
    rendition: Rendition,
    slides: &[Slide],
    pictures: &[Arc<Encoded>],
    stills: &Stills,
) -> Outcome<Stream> {
    let first = pictures.first().ok_or("a lesson without slides")?;
    let (mut segments, mut lengths) = (Vec::new(), Vec::new());
    let mut at = 0;
    for (slide, picture) in slides.iter().zip(pictures) {
        for length in parts(slide.length) {
            segments.push(segment(segments.len(), at, &picture.picture, stills.first(length))?);
            lengths.push(length);
            at += length;
        }
    }
    let rate = |bytes: usize, seconds: u32| bytes as u64 * 8 / u64::from(seconds.max(1));
    let rates = segments.iter().zip(&lengths).map(|(segment, length)| rate(segment.len(), *length));
    let [_, profile, compatibility, level, ..] = first.sps[..] else {
        return Err("the encoder returned no parameter sets".into());
    };
    Ok(Stream {
        rendition,
        init: init(rendition, first)?,
        playlist: playlist(&lengths),
        codecs: format!("avc1.{profile:02x}{compatibility:02x}{level:02x}"),
        peak: rates.max().unwrap_or_default(),
        mean: rate(segments.iter().map(Vec::len).sum(), at),
        segments,
    })
}

/// Splits the seconds of a slide into segments of about the same length.
fn parts(seconds: u32) -> impl Iterator<Item = u32> {
    let count = seconds.div_ceil(SEGMENT).max(1);
    (0..count).map(move |part| seconds * (part + 1) / count - seconds * part / count)
}

fn playlist(lengths: &[u32]) -> String {
    let longest = lengths.iter().max().copied().unwrap_or_default();
    let mut text = format!(
        "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:{longest}\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-MAP:URI=\"init.mp4\"\n"
    );
    for (length, number) in lengths.iter().zip(0..) {
        let _ = write!(text, "#EXTINF:{length}.000,\n{number}.m4s\n");
    }
    text.push_str("#EXT-X-ENDLIST\n");
    text
}

/// Writes the multivariant playlist. Captions are not listed: players load them as a separate track.
pub(crate) fn master(streams: &[Stream]) -> String {
    let mut text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n".to_owned();
    for Stream { rendition: Rendition { name, width, height, .. }, codecs, peak, mean, .. } in streams {
        let _ = write!(
            text,
            "#EXT-X-STREAM-INF:BANDWIDTH={peak},AVERAGE-BANDWIDTH={mean},RESOLUTION={width}x{height},FRAME-RATE=1.000,CODECS=\"{codecs}\"\n{name}/index.m3u8\n"
        );
    }
    text
}

fn init(Rendition { width, height, .. }: Rendition, first: &Encoded) -> Outcome<Vec<u8>> {
    let avcc = Avcc::new(&first.sps, &first.pps)?;
    let visual = Visual {
        data_reference_index: 1,
        width,
        height,
        horizresolution: 0x48.into(),
        vertresolution: 0x48.into(),
        frame_count: 1,
        compressor: "".into(),
        depth: 24,
    };
    let stbl = Stbl {
        stsd: Stsd { codecs: vec![Codec::Avc1(Avc1 { visual, avcc, ..Avc1::default() })] },
        stco: Some(Stco::default()),
        ..Stbl::default()
    };
    let dref = Dref { entries: vec![DrefEntry::Url(Url::default())] };
    let mdia = Mdia {
        mdhd: Mdhd { timescale: TIMESCALE, language: "und".into(), ..Mdhd::default() },
        hdlr: Hdlr { handler: FourCC::new(b"vide"), name: "VideoHandler".into() },
        minf: Minf { vmhd: Some(Vmhd::default()), dinf: Dinf { dref }, stbl, ..Minf::default() },
    };
    let tkhd = Tkhd {
        track_id: TRACK,
        enabled: true,
        in_movie: true,
        width: width.into(),
        height: height.into(),
        ..Tkhd::default()
    };
    let trex = Trex { track_id: TRACK, default_sample_description_index: 1, ..Trex::default() };
    let mvhd = Mvhd {
        timescale: TIMESCALE,
        rate: 1.into(),
        volume: 1.into(),
        next_track_id: TRACK + 1,
        ..Mvhd::default()
    };
    let moov = Moov {
        mvhd,
        mvex: Some(Mvex { mehd: None, trex: vec![trex] }),
        trak: vec![Trak { tkhd, mdia, ..Trak::default() }],
        ..Moov::default()
    };
    let brands = [b"iso6", b"cmfc", b"mp41"].map(FourCC::new);
    let mut bytes = Vec::new();
    Ftyp { major_brand: brands[0], minor_version: 0, compatible_brands: brands.to_vec() }
        .encode(&mut bytes)?;
    moov.encode(&mut bytes)?;
    Ok(bytes)
}

/// Writes a segment: the picture, then one still frame for each further second.
fn segment(number: usize, at: u32, picture: &[u8], stills: &[Vec<u8>]) -> Outcome<Vec<u8>> {
    let entry = |data: &[u8], flags| {
        Ok::<_, std::num::TryFromIntError>(TrunEntry {
            size: Some(u32::try_from(data.len())?),
            flags: Some(flags),
            ..TrunEntry::default()
        })
    };
    let mut samples = vec![entry(picture, SYNC)?];
    for still in stills {
        samples.push(entry(still, NOT_SYNC)?);
    }
    let mut moof = Moof {
        mfhd: Mfhd { sequence_number: u32::try_from(number)? + 1 },
        traf: vec![Traf {
            tfhd: Tfhd {
                track_id: TRACK,
                default_sample_duration: Some(TIMESCALE),
                default_base_is_moof: true,
                ..Tfhd::default()
            },
            tfdt: Some(Tfdt { base_media_decode_time: u64::from(at) * u64::from(TIMESCALE) }),
            trun: vec![Trun { data_offset: Some(0), samples: TrunSamples::Explicit(samples) }],
            ..Traf::default()
        }],
    };
    let mut measured = Vec::new();
    moof.encode(&mut measured)?;
    // The samples begin after this box and the eight-byte header of `mdat`.
    moof.traf[0].trun[0].data_offset = Some(i32::try_from(measured.len() + 8)?);
    let brands = [b"msdh", b"cmfs"].map(FourCC::new);
    let mut bytes = Vec::new();
    Styp { major_brand: brands[0], minor_version: 0, compatible_brands: brands.to_vec() }
        .encode(&mut bytes)?;
    moof.encode(&mut bytes)?;
    let data: usize = picture.len() + stills.iter().map(Vec::len).sum::<usize>();
    bytes.extend(u32::try_from(data + 8)?.to_be_bytes());
    bytes.extend(b"mdat");
    bytes.extend(picture);
    for still in stills {
        bytes.extend(still);
    }
    Ok(bytes)
}
