//! Encodes pictures as H.264: each slide once, and the unchanged frame once for all slides.

use openh264::OpenH264API;
use openh264::encoder::{
    Complexity, Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, Profile, QpRange,
    RateControlMode, UsageType, VuiConfig,
};
use openh264::formats::{RgbaSliceU8, YUVBuffer};
use resvg::usvg::Tree;

use crate::Outcome;
use crate::picture::pixmap;

/// Longest segment in seconds. Seeking loads one segment.
pub(crate) const SEGMENT: u32 = 25;

/// A size of the video.
#[derive(Clone, Copy)]
pub(crate) struct Rendition {
    pub(crate) name: &'static str,
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// Quantizer. The sharper size shows every stroke of a kanji.
    quality: u8,
}

/// The sizes, smallest first.
pub(crate) const RENDITIONS: [Rendition; 2] = [
    Rendition { name: "360p", width: 640, height: 360, quality: 26 },
    Rendition { name: "720p", width: 1280, height: 720, quality: 28 },
];

/// An encoded picture with its parameter sets.
pub(crate) struct Encoded {
    pub(crate) sps: Vec<u8>,
    pub(crate) pps: Vec<u8>,
    /// A key frame in MP4 format: each NAL unit after its length.
    pub(crate) picture: Vec<u8>,
}

/// Unchanged frames, for the seconds after the first of a segment.
pub(crate) struct Stills(Vec<Vec<u8>>);

impl Stills {
    /// Encodes the frames of one size. They contain no picture data, so they can follow any picture of this
    /// size.
    pub(crate) fn new(rendition: Rendition) -> Outcome<Self> {
        let mut encoder = encoder(rendition)?;
        let blank = YUVBuffer::new(usize::from(rendition.width), usize::from(rendition.height));
        encoder.encode(&blank)?;
        let mut stills = Vec::new();
        for _ in 1..SEGMENT {
            let still = encoder.encode(&blank)?;
            if still.frame_type() != FrameType::P {
                return Err("the encoder coded an unchanged frame as a new picture".into());
            }
            stills.push(units(&still).1);
        }
        Ok(Self(stills))
    }

    /// Returns the frames for a segment of `count` seconds.
    pub(crate) fn first(&self, count: u32) -> &[Vec<u8>] {
        let count = usize::try_from(count.saturating_sub(1)).unwrap_or(usize::MAX);
        &self.0[..count.min(self.0.len())]
    }
}

fn encoder(rendition: Rendition) -> Outcome<Encoder> {
    let config = EncoderConfig::new()
        .profile(Profile::Baseline)
        .usage_type(UsageType::CameraVideoRealTime)
        .rate_control_mode(RateControlMode::Off)
        .qp(QpRange::new(rendition.quality, rendition.quality))
        .complexity(Complexity::Low)
        .max_frame_rate(FrameRate::from_hz(1.0))
        .intra_frame_period(IntraFramePeriod::auto())
        .skip_frames(false)
        .scene_change_detect(false)
        .adaptive_quantization(false)
        .background_detection(false)
        .num_threads(1)
        .vui(VuiConfig::bt601());
    Ok(Encoder::with_api_config(OpenH264API::from_source(), config)?)
}

/// Encodes the picture of a slide in one size. Each picture has a new encoder, so its bytes do not depend on
/// earlier pictures.
pub(crate) fn encode(tree: &Tree, rendition: Rendition) -> Outcome<Encoded> {
    let pixmap = pixmap(tree, rendition.width)?;
    let size = (usize::from(rendition.width), usize::from(rendition.height));
    let picture = YUVBuffer::from_rgba8_source(RgbaSliceU8::new(pixmap.data(), size));
    let ((sps, pps), picture) = units(&encoder(rendition)?.encode(&picture)?);
    Ok(Encoded { sps, pps, picture })
}

/// Splits a bit stream into its parameter sets and the picture.
fn units(stream: &openh264::encoder::EncodedBitStream<'_>) -> ((Vec<u8>, Vec<u8>), Vec<u8>) {
    let (mut sps, mut pps, mut picture) = (Vec::new(), Vec::new(), Vec::new());
    for layer in (0..stream.num_layers()).filter_map(|layer| stream.layer(layer)) {
        for unit in (0..layer.nal_count()).filter_map(|unit| layer.nal_unit(unit)) {
            // Remove the start code before the unit.
            let start = unit.iter().position(|byte| *byte == 1).map_or(0, |one| one + 1);
            let unit = &unit[start..];
            match unit.first().map(|first| first & 0x1f) {
                Some(7) => sps = unit.to_vec(),
                Some(8) => pps = unit.to_vec(),
                _ => {
                    picture.extend(u32::try_from(unit.len()).unwrap_or(u32::MAX).to_be_bytes());
                    picture.extend(unit);
                }
            }
        }
    }
    ((sps, pps), picture)
}
