//! `desk.v1.NotificationService`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kit::caller::CallerOf as _;
use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use proto::desk as wire;
use proto::desk::notification_service_server::NotificationService;
use time::{Date, OffsetDateTime};
use tonic::{Request, Response, Status};
use uuid::Uuid;
use web_push_native::p256::PublicKey;

use super::{Desk, commit, parse_id};
use crate::account_age::parse_birth_date;
use crate::error::Error;
use crate::mail;
use crate::notification::setting::{self, Choices, QuietHours, Settings, parse_topics, to_names};
use crate::notification_topic::Topic;
use crate::push::endpoint::parse_endpoint;
use crate::push::subscription::{self, Keys, Subscription};

#[tonic::async_trait]
impl NotificationService for Desk {
    async fn get_notification_settings(
        &self,
        request: Request<wire::GetNotificationSettingsRequest>,
    ) -> Result<Response<wire::GetNotificationSettingsResponse>, Status> {
        let account = request.caller()?.account()?;
        let birth = request.into_inner().birth_date.as_deref().and_then(parse_birth_date);
        let mut connection = self.acquire().await?;
        let settings = setting::find(&mut connection, account).await.map_err(Error::from)?;
        let settings = settings.with_birth_date(birth);
        let devices = subscription::list(&mut connection, account).await.map_err(Error::from)?;
        let bounced = mail::find_bounce(&mut connection, account).await.map_err(Error::from)?;
        Ok(Response::new(wire::GetNotificationSettingsResponse {
            settings: Some(encode(&settings, self.clock.now())),
            is_quiet_by_age: settings.is_quiet_by_age(),
            adult_on: settings.adult_on().map(|day| day.to_string()),
            mail_bounced_at: bounced.map(to_timestamp),
            push_key: self.vapid.as_ref().map(|vapid| vapid.public().to_owned()),
            push_devices: devices.into_iter().map(encode_device).collect(),
        }))
    }

    async fn set_notification_settings(
        &self,
        request: Request<wire::SetNotificationSettingsRequest>,
    ) -> Result<Response<wire::SetNotificationSettingsResponse>, Status> {
        let account = request.caller()?.account()?;
        let request = request.into_inner();
        let choices = parse(&request.topics, &request.settings.unwrap_or_default())?;
        let birth = request.birth_date.as_deref().and_then(parse_birth_date);
        self.save_settings(account, choices, birth).await?;
        Ok(Response::new(wire::SetNotificationSettingsResponse {}))
    }

    async fn unsubscribe(
        &self,
        request: Request<wire::UnsubscribeRequest>,
    ) -> Result<Response<wire::UnsubscribeResponse>, Status> {
        let topic = self.switch_mail_off(&request.into_inner().token).await?;
        Ok(Response::new(wire::UnsubscribeResponse { topic }))
    }

    async fn save_push_device(
        &self,
        request: Request<wire::SavePushDeviceRequest>,
    ) -> Result<Response<wire::SavePushDeviceResponse>, Status> {
        let account = request.caller()?.account()?;
        let id = self.save_device(account, &request.into_inner()).await?;
        Ok(Response::new(wire::SavePushDeviceResponse { id: id.to_string() }))
    }

    async fn delete_push_device(
        &self,
        request: Request<wire::DeletePushDeviceRequest>,
    ) -> Result<Response<wire::DeletePushDeviceResponse>, Status> {
        let account = request.caller()?.account()?;
        let id = parse_id(&request.into_inner().id)?;
        let mut connection = self.acquire().await?;
        subscription::delete(&mut connection, account, id).await.map_err(Error::from)?;
        Ok(Response::new(wire::DeletePushDeviceResponse {}))
    }
}

impl Desk {
    async fn save_settings(&self, account: Uuid, choices: Choices, birth: Option<Date>) -> Result<(), Error> {
        let mut transaction = self.pool.begin().await?;
        setting::save(&mut transaction, account, choices, birth, self.clock.now()).await?;
        commit(transaction).await?;
        self.wake.wake();
        Ok(())
    }

    async fn save_device(&self, account: Uuid, request: &wire::SavePushDeviceRequest) -> Result<Uuid, Error> {
        if self.vapid.is_none() {
            return Err(Error::NotFound);
        }
        let keys = parse_keys(request, self.allows_loopback)?;
        let device = forms::device::describe(&request.user_agent);
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let stores = (&self.push_encryptor, &self.keyed_hash);
        let id = subscription::save(&mut transaction, (account, &device), &keys, stores, now).await?;
        commit(transaction).await?;
        Ok(id)
    }

    async fn switch_mail_off(&self, token: &str) -> Result<String, Error> {
        let parsed = self.notifier.unsubscriber().parse_token(token);
        let (account, topic) = parsed.ok_or(Error::LinkDead)?;
        let mut transaction = self.pool.begin().await?;
        match setting::switch_mail_off(&mut transaction, account, topic, self.clock.now()).await {
            Err(Error::NotFound) => return Err(Error::LinkDead),
            done => done?,
        }
        commit(transaction).await?;
        Ok(topic.name().to_owned())
    }
}

/// Checks the subscription of a browser.
fn parse_keys(request: &wire::SavePushDeviceRequest, allows_loopback: bool) -> Result<Keys, Error> {
    let invalid = |name| Error::Field(FieldError::new(name, "INVALID_FORMAT"));
    let decode = |name, text: &str, length| {
        let bytes = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        bytes.filter(|bytes| bytes.len() == length).ok_or_else(|| invalid(name))
    };
    parse_endpoint(&request.endpoint, allows_loopback).ok_or_else(|| invalid("endpoint"))?;
    let p256dh = decode("p256dh", &request.p256dh, 65)?;
    // Only points on the curve are keys.
    PublicKey::from_sec1_bytes(&p256dh).map_err(|_| invalid("p256dh"))?;
    let auth = decode("auth", &request.auth, 16)?;
    Ok(Keys { endpoint: request.endpoint.clone(), p256dh, auth })
}

fn encode_device(device: Subscription) -> wire::PushDevice {
    wire::PushDevice {
        id: device.id.to_string(),
        device: device.device,
        created_at: Some(to_timestamp(device.created_at)),
        sent_at: device.sent_at.map(to_timestamp),
        ended_at: device.ended_at.map(to_timestamp),
    }
}

fn parse(topics: &[String], settings: &wire::NotificationSettings) -> Result<Choices, Error> {
    let quiet = settings.quiet_hours.as_ref();
    let topics = parse_topics("topics", topics)?;
    Ok(Choices {
        topics: if topics.is_empty() { Topic::OF_OLD_CLIENTS.to_vec() } else { topics },
        mail_off: parse_topics("mail_off", &settings.mail_off)?,
        push_off: parse_topics("push_off", &settings.push_off)?,
        quiet_hours: quiet.map(|quiet| QuietHours::new(quiet.from, quiet.until)).transpose()?,
    })
}

fn encode(settings: &Settings, now: OffsetDateTime) -> wire::NotificationSettings {
    let quiet =
        |quiet: QuietHours| wire::QuietHours { from: quiet.from().into(), until: quiet.until().into() };
    wire::NotificationSettings {
        mail_off: to_names(settings.mail_off()),
        push_off: to_names(settings.push_off()),
        quiet_hours: settings.quiet_hours(now).map(quiet),
    }
}
