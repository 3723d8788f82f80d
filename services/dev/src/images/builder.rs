//! The image builders: their command lines, and the sizes that they report.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tokio::process::Command;
use tooling::command::{find_program, run_or_fail};
use tooling::failure::{Doing as _, Failure, Outcome, fail};

use crate::cli::Builder;

/// One image to build.
pub(crate) struct Image<'a> {
    /// The stage of the Containerfile: a service.
    pub(crate) stage: &'a str,
    /// Name and tag of the image.
    pub(crate) name: String,
    /// The Containerfile.
    pub(crate) file: &'a Path,
    /// The folder that it copies from.
    pub(crate) context: &'a Path,
    /// Folders that replace a stage.
    pub(crate) folders: &'a [(&'a str, PathBuf)],
    /// Values of `ARG`s.
    pub(crate) arguments: &'a [(&'a str, String)],
    /// Time of the commit, in seconds since 1970; the time of every file in the image.
    pub(crate) epoch: i64,
}

/// Size of an image in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// Uncompressed size, with the base.
    pub(crate) whole: u64,
    /// Size without the base.
    pub(crate) over_base: u64,
}

/// An installed builder.
pub(crate) struct Program {
    builder: Builder,
    path: PathBuf,
}

impl Program {
    /// Finds the requested builder, or any on PATH.
    pub(crate) fn find(wanted: Option<Builder>) -> Outcome<Self> {
        Self::pick(wanted, find_program)
    }

    fn pick(wanted: Option<Builder>, find: impl Fn(&str) -> Option<PathBuf>) -> Outcome<Self> {
        let all = [Builder::Buildah, Builder::Docker];
        let mut candidates = all.into_iter().filter(|builder| wanted.is_none_or(|wanted| wanted == *builder));
        match candidates.find_map(|builder| find(builder.name()).map(|path| Self { builder, path })) {
            Some(program) => Ok(program),
            None => fail(format!(
                "{} is missing: install buildah (Debian: apt-get install buildah) or docker",
                wanted.map_or("an image builder", Builder::name)
            )),
        }
    }

    /// Checks that the builder works. Writes its output to `log` on failure.
    pub(crate) async fn check(&self, log: &Path) -> Outcome {
        if self.builder == Builder::Docker {
            let mut command = Command::new(&self.path);
            command.args(["buildx", "version"]);
            run_or_fail(&mut command, log).await.doing(|| "docker needs its plugin buildx")?;
        }
        Ok(())
    }

    /// Builds `image`. Writes the output to `log` on failure.
    pub(crate) async fn build(&self, image: &Image<'_>, log: &Path) -> Outcome {
        let mut command = Command::new(&self.path);
        // Otherwise Docker adds the build time to each image.
        command.args(self.builder.build(image)).env("BUILDX_NO_DEFAULT_ATTESTATIONS", "1");
        run_or_fail(&mut command, log).await.map_err(with_hint)?;
        Ok(())
    }

    /// Returns the size of the image `name`, whole and without `base`.
    pub(crate) async fn size(&self, name: &str, base: &str, log: &Path) -> Outcome<Size> {
        let mut said = Vec::new();
        for image in [name, base] {
            let mut command = Command::new(&self.path);
            command.args(self.builder.inspect(image));
            said.push(run_or_fail(&mut command, log).await?);
        }
        self.builder.size(&said[0], &said[1]).doing(|| format!("the size of {name}"))
    }
}

impl Builder {
    fn name(self) -> &'static str {
        match self {
            Self::Buildah => "buildah",
            Self::Docker => "docker",
        }
    }

    /// Returns the arguments that build `image`.
    fn build(self, image: &Image<'_>) -> Vec<String> {
        let epoch = image.epoch;
        let mut line = match self {
            // Different from the defaults: keep layers, use local images without a registry, set fixed file
            // times.
            Self::Buildah => ["build", "--layers", "--pull=missing", "--timestamp", &epoch.to_string()]
                .map(str::to_owned)
                .to_vec(),
            Self::Docker => {
                ["buildx", "build", "--load", "--build-arg", &format!("SOURCE_DATE_EPOCH={epoch}")]
                    .map(str::to_owned)
                    .to_vec()
            }
        };
        line.extend(["--file".to_owned(), image.file.display().to_string()]);
        line.extend(["--target", image.stage, "--tag", &image.name].map(str::to_owned));
        for (name, value) in image.arguments {
            line.extend(["--build-arg".to_owned(), format!("{name}={value}")]);
        }
        for (stage, folder) in image.folders {
            line.extend(["--build-context".to_owned(), format!("{stage}={}", folder.display())]);
        }
        line.push(image.context.display().to_string());
        line
    }

    /// Returns the arguments that print the input of `size`.
    fn inspect(self, image: &str) -> Vec<&str> {
        match self {
            Self::Buildah => vec!["inspect", "--type", "image", "--format", "{{.Manifest}}", image],
            Self::Docker => vec!["image", "inspect", "--format", "{{.Size}}", image],
        }
    }

    /// Parses the output for an image and its base.
    fn size(self, image: &str, base: &str) -> Outcome<Size> {
        match self {
            Self::Buildah => {
                let (image, base) = (layers(image)?, layers(base)?);
                let Some(ours) = image.get(base.len()..) else {
                    return fail("the image has fewer layers than its base");
                };
                Ok(Size { whole: image.iter().sum(), over_base: ours.iter().sum() })
            }
            Self::Docker => {
                let (image, base): (u64, u64) = (image.trim().parse()?, base.trim().parse()?);
                let Some(over_base) = image.checked_sub(base) else {
                    return fail("the image is smaller than its base");
                };
                Ok(Size { whole: image, over_base })
            }
        }
    }
}

/// Adds a hint if the failure seems to be that of a registry.
fn with_hint(failure: Failure) -> Failure {
    let text = failure.to_string();
    if ["dial tcp", "registry", "resolve"].iter().any(|word| text.contains(word)) {
        return format!("{text}; without a registry: --prebuilt, with a --base in the builder's own store")
            .into();
    }
    failure
}

/// Returns the sizes of the layers in a manifest. A pulled base may be listed with compressed sizes, a built
/// image never is.
fn layers(manifest: &str) -> Outcome<Vec<u64>> {
    #[derive(Deserialize)]
    struct Manifest {
        layers: Vec<Layer>,
    }
    #[derive(Deserialize)]
    struct Layer {
        size: u64,
    }
    let manifest: Manifest = serde_json::from_str(manifest)?;
    Ok(manifest.layers.into_iter().map(|layer| layer.size).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(builder: Builder) -> String {
        let image = Image {
            stage: "edge",
            name: "konomana/edge:dev".into(),
            file: Path::new("services/Containerfile"),
            context: Path::new("."),
            folders: &[("binaries", "out/bin".into())],
            arguments: &[("BASE", "localhost/base".into())],
            epoch: 1_700_000_000,
        };
        builder.build(&image).join(" ")
    }

    #[test]
    fn buildah_keeps_layers_and_uses_local_images() {
        assert_eq!(
            line(Builder::Buildah),
            "build --layers --pull=missing --timestamp 1700000000 --file services/Containerfile --target edge \
             --tag konomana/edge:dev --build-arg BASE=localhost/base --build-context binaries=out/bin ."
        );
    }

    #[test]
    fn docker_builds_the_same_stage_with_the_same_values() {
        assert_eq!(
            line(Builder::Docker),
            "buildx build --load --build-arg SOURCE_DATE_EPOCH=1700000000 --file services/Containerfile --target edge \
             --tag konomana/edge:dev --build-arg BASE=localhost/base --build-context binaries=out/bin ."
        );
    }

    #[test]
    fn the_size_over_the_base_excludes_the_layers_of_the_base() {
        let base = r#"{"schemaVersion":2,"layers":[{"size":10000},{"size":5}]}"#;
        let image = r#"{"schemaVersion":2,"layers":[{"size":10240},{"size":5},{"size":700},{"size":1}]}"#;
        let size = Builder::Buildah.size(image, base).expect("parse the size");
        assert_eq!(size, Size { whole: 10_946, over_base: 701 });
        assert!(Builder::Buildah.size(base, image).is_err());
        assert!(Builder::Buildah.size("no such image", base).is_err());
        let size = Builder::Docker.size("30000000\n", "20000000\n").expect("parse the size");
        assert_eq!(size, Size { whole: 30_000_000, over_base: 10_000_000 });
        assert!(Builder::Docker.size("1\n", "2\n").is_err());
    }

    #[test]
    fn an_unreachable_registry_gets_a_hint() {
        let hinted =
            with_hint("buildah build failed: pinging container registry: dial tcp: no such host".into());
        assert!(hinted.to_string().contains("no such host; without a registry: --prebuilt"), "{hinted}");
        assert_eq!(
            with_hint("buildah build failed: exit status 101".into()).to_string().matches(';').count(),
            0
        );
    }

    #[test]
    fn buildah_is_preferred_and_a_missing_builder_is_reported() {
        let only = |there: &'static [&str]| {
            move |name: &str| there.contains(&name).then(|| PathBuf::from(format!("/usr/bin/{name}")))
        };
        let picked = |wanted, there| Program::pick(wanted, only(there)).map(|program| program.builder);
        assert_eq!(picked(None, &["docker", "buildah"]).expect("both are installed"), Builder::Buildah);
        assert_eq!(picked(None, &["docker"]).expect("docker is installed"), Builder::Docker);
        assert_eq!(
            picked(Some(Builder::Docker), &["docker", "buildah"]).expect("docker is installed"),
            Builder::Docker
        );
        let missing = picked(Some(Builder::Docker), &["buildah"]).expect_err("it is missing");
        assert!(missing.to_string().starts_with("docker is missing"), "{missing}");
        assert!(picked(None, &[]).expect_err("both are missing").to_string().starts_with("an image builder"));
    }
}
